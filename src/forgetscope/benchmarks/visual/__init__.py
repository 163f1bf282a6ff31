"""Visual concept suppression: told to forget a concept, does a vision-language model forget it or only obey?"""
