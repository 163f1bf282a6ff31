"""In-context forgetting: does a model forget on request in a dialogue, and still know the rest?"""
