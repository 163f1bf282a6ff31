"""The doctor: before any training, will these settings unlearn at all, what will it cost, what should be changed?

`examination.py` measures, `advice.py` has the rules on what holds for any method, `diagnosis.py` puts both together.
What is to be said of one method is said by its class (`methods/base.py`: `advice`, `advice_beforehand`); a rule on
texts, targets or machines is one more function of `advice.py`, called by `diagnosis.py`.
"""
