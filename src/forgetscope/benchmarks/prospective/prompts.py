"""Every text a model is shown, versioned: system message, constraint wording, load wording, connector, reminder.

Paper: sections 3.3 and 3.4, appendix D. The paper's templates are lost in the text we have; the treatment strings
(heading, trailing sentences, system message, `Constraint 1:`) are its own, the connector and the wording of
constraints and load are ours, fixed in protocols.md, section 3.
"""

from collections.abc import Mapping, Sequence

from forgetscope.benchmarks.prospective.data.loading import Article, ChoiceQuestion, MathProblem, TriviaQuestion
from forgetscope.core.errors import UnknownNameError

PROMPTS_VERSION = "1"
"""Raised whenever a text below changes; part of the manifest."""

SYSTEM_MESSAGE = "You are a helpful assistant. Follow the user's instructions carefully and completely."
"""Appendix B.4. (Appendix D prints "Follow all user instructions carefully." instead.)"""

CONNECTOR = "Also, please complete the following task:"
HEADING = "IMPORTANT FORMATTING INSTRUCTION:"
TRAILING = "Remember to follow ALL of my formatting instructions above."
STACKING_TRAILING = "Remember to follow ALL of the formatting instructions listed above."


def constraint_text(instruction_id: str, kwargs: Mapping[str, object]) -> str:
    """A constraint in our own words, from its metadata alone.

    Raises:
        UnknownNameError: the type is not one of the fifteen this benchmark uses.
        KeyError: a parameter the type needs is missing.
    """
    match instruction_id:
        case "change_case:english_capital":
            return "Write your entire response in English, using capital letters only."
        case "change_case:english_lowercase":
            return (
                "Write your entire response in English, using lowercase letters only. No capital letters are allowed."
            )
        case "keywords:existence":
            return f"Include each of these keywords in your response: {_listed(kwargs['keywords'])}."
        case "keywords:forbidden_words":
            return f"Do not use any of these words anywhere in your response: {_listed(kwargs['forbidden_words'])}."
        case "detectable_content:postscript":
            return f"At the very end of your response, add a postscript that starts with {kwargs['postscript_marker']}"
        case "startend:end_checker":
            return f"End your response with exactly this phrase, and write nothing after it: {kwargs['end_phrase']}"
        case "detectable_format:json_format":
            return "Write your entire response as one JSON object. You may wrap it in a markdown code block."
        case "detectable_format:title":
            return "Give your response a title, wrapped in double angular brackets, such as <<a good title>>."
        case "startend:quotation":
            return "Wrap your entire response in double quotation marks."
        case "punctuation:no_comma":
            return "Do not use any commas anywhere in your response."
        case "detectable_content:number_placeholders":
            return (
                f"Include at least {kwargs['num_placeholders']} placeholders in square brackets in your response, "
                "such as [name]."
            )
        case "detectable_format:number_bullet_lists":
            return (
                f"Include exactly {kwargs['num_bullets']} markdown bullet points in your response, each starting with "
                "an asterisk, such as:\n* This is a point."
            )
        case "detectable_format:number_highlighted_sections":
            return (
                f"Highlight at least {kwargs['num_highlights']} sections of your response with markdown, "
                "such as *highlighted section*."
            )
        case "length_constraints:number_words":
            return f"Write {_relation(kwargs['relation'])} {kwargs['num_words']} words in your response."
        case "combination:repeat_prompt":
            return (
                "Before anything else, repeat the following request word for word, without any change, "
                f"and only then go on:\n{kwargs['prompt_to_repeat']}"
            )
        case _:
            return _other_constraint_text(instruction_id, kwargs)


def _other_constraint_text(instruction_id: str, kwargs: Mapping[str, object]) -> str:
    """Wording of IFEval's ten types outside the benchmark's fifteen, for prompts a user supplies."""
    match instruction_id:
        case "keywords:frequency":
            return (
                f"Use the word {kwargs['keyword']} {_times(kwargs['relation'], kwargs['frequency'])} in your response."
            )
        case "keywords:letter_frequency":
            times = _times(kwargs["let_relation"], kwargs["let_frequency"])
            return f"Let the letter {kwargs['letter']} appear {times} in your response."
        case "change_case:capital_word_frequency":
            times = _times(kwargs["capital_relation"], kwargs["capital_frequency"])
            return f"Words in all capital letters must appear {times} in your response."
        case "length_constraints:number_sentences":
            return f"Write {_relation(kwargs['relation'])} {kwargs['num_sentences']} sentences in your response."
        case "length_constraints:number_paragraphs":
            return f"Write exactly {kwargs['num_paragraphs']} paragraphs, separated by the markdown divider ***"
        case "length_constraints:nth_paragraph_first_word":
            return (
                f"Write exactly {kwargs['num_paragraphs']} paragraphs, separated by a blank line. Paragraph "
                f"{kwargs['nth_paragraph']} must start with the word {kwargs['first_word']}."
            )
        case "detectable_format:multiple_sections":
            return (
                f"Divide your response into at least {kwargs['num_sections']} sections, each marked at its beginning "
                f"with {kwargs['section_spliter']} and its number, such as {kwargs['section_spliter']} 1"
            )
        case "detectable_format:constrained_response":
            return "Answer with one of these options: My answer is yes. My answer is no. My answer is maybe."
        case "combination:two_responses":
            return "Give two different responses, separated by six asterisks: ******"
        case "language:response_language":
            return f"Write your entire response in the language with the code {kwargs['language']}. No other language."
        case _:
            raise UnknownNameError(
                "no wording for this constraint type",
                found=instruction_id,
                allowed="IFEval's twenty-five types",
                next_step="add its wording to benchmarks/prospective/prompts.py",
            )


def _times(relation: object, count: object) -> str:
    return f"{_relation(relation)} {count} times"


def _relation(relation: object) -> str:
    """One of the two relations IFEval knows, in words.

    Raises:
        UnknownNameError: another relation.
    """
    match relation:
        case "less than":
            return "fewer than"
        case "at least":
            return "at least"
        case _:
            raise UnknownNameError("no such relation", found=relation, allowed=("less than", "at least"))


def _listed(words: object) -> str:
    return ", ".join(str(word) for word in words) if isinstance(words, list | tuple) else str(words)


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
