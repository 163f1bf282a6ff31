"""Every text a model is shown, versioned: system message, load wording, connector, reminder.

How a constraint is put stands in its record (`forgetscope.checkers`).

Paper: sections 3.3 and 3.4, appendix D. The paper's templates are lost in the text we have; the treatment strings
(heading, trailing sentences, system message, `Constraint 1:`) are its own, the connector and the wording of
constraints and load are ours, fixed in protocols.md, section 3.
"""

from collections.abc import Sequence

from forgetscope.benchmarks.prospective.data.loading import Article, ChoiceQuestion, MathProblem, TriviaQuestion

PROMPTS_VERSION = "1"
"""Raised whenever a text below or the wording of a constraint changes; part of the manifest."""

SYSTEM_MESSAGE = "You are a helpful assistant. Follow the user's instructions carefully and completely."
"""Appendix B.4. (Appendix D prints "Follow all user instructions carefully." instead.)"""

CONNECTOR = "Also, please complete the following task:"
HEADING = "IMPORTANT FORMATTING INSTRUCTION:"
TRAILING = "Remember to follow ALL of my formatting instructions above."
STACKING_TRAILING = "Remember to follow ALL of the formatting instructions listed above."

CHOICE_LETTERS = "ABCD"


def trivia_text(question: TriviaQuestion) -> str:
    """A factual question as load."""
    return f"Answer this question: {question.question.strip()}"


def choice_text(question: ChoiceQuestion) -> str:
    """A four-choice question as load, choices labelled A to D."""
    choices = "\n".join(f"{letter}. {choice}" for letter, choice in zip(CHOICE_LETTERS, question.choices, strict=True))
    return (
        "Answer this multiple-choice question and give the letter of the correct option.\n\n"
        f"{question.question.strip()}\n{choices}"
    )


def problems_text(problems: Sequence[MathProblem]) -> str:
    """One word problem, or a numbered chain of them."""
    if len(problems) == 1:
        return f"Solve this math problem: {problems[0].question.strip()}"
    numbered = "\n\n".join(
        f"Problem {number}: {problem.question.strip()}" for number, problem in enumerate(problems, start=1)
    )
    return f"Solve each of these {len(problems)} math problems.\n\n{numbered}"


def article_text(article: Article) -> str:
    """An article to summarise."""
    return f"Summarize this news article in a few sentences.\n\n{article.article.strip()}"


def join_parts(*parts: str) -> str:
    """Parts of a prompt separated by a blank line; empty parts leave no trace."""
    return "\n\n".join(part for part in parts if part)
