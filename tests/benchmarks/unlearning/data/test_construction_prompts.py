"""The prompts of construction, as they are sent."""

import hashlib

from forgetscope.benchmarks.unlearning.data import construction_prompts as prompts


def test_the_prompts_are_those_of_their_version() -> None:
    """Whoever changes a prompt raises CONSTRUCTION_PROMPTS_VERSION and this."""
    texts = (prompts.TRIPLETS, prompts.QUESTIONS, prompts.ANSWER, prompts.AGAIN)
    digest = hashlib.sha256("\0".join(texts).encode()).hexdigest()
    assert (prompts.CONSTRUCTION_PROMPTS_VERSION, digest[:16]) == ("1", "2091db9499ff4f08")


def test_prompts_hold_the_text_between_their_fences_once() -> None:
    text = "Ada opened {a mill}.\n---\nShe left."
    for prompt in (
        prompts.triplets_prompt(text),
        prompts.questions_prompt(text, 3),
        prompts.answer_prompt(text, "Who left?"),
    ):
        assert prompt.count("----------") == 2
        assert "Ada opened {a mill}." in prompt.split("----------")[1]
