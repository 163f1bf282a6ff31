"""Splits: which pictures and concepts are forgotten or retained, and the items made from them."""
