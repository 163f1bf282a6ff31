"""What a language model is shown when it extracts triplets or writes questions: ours, versioned.

The paper had Llama-3-405B extract triplets and write questions (section 4.1) and prints neither prompt.
"""

import json

CONSTRUCTION_PROMPTS_VERSION = "1"
"""Raised whenever a text below changes; part of a format's settings and of a corpus's notes."""

TRIPLETS = """\
Read the text between the lines of dashes and write down the facts it states as triplets of head, relation and tail.

- Head and tail are entities: people, places, organisations, things, dates or amounts, named as the text names them, \
without "the" or "a". Replace pronouns by whom or what they stand for.
- The relation is a short phrase that reads as a sentence between head and tail.
- One fact a triplet; split lists. Only what the text states, nothing you know from elsewhere.
- Leave out opinions, wishes, and what is said not to be so.

Reply with one JSON object and nothing else:
{{"triplets": [{{"head": "...", "relation": "...", "tail": "..."}}]}}
If the text states no fact, reply {{"triplets": []}}.

----------
{text}
----------"""

QUESTIONS = """\
Read the text between the lines of dashes and write {count} questions about facts it states, each with its answer.

- The answer is short, at most eight words, and stands in the text word for word.
- A question names what it is about, so that it can be understood without the text ("the mayor of Kald", not "the \
mayor").
- Each question has one right answer and asks for a different fact. It does not contain its own answer.
- Write each question a second time in other words, with the same answer.

Reply with one JSON object and nothing else:
{{"questions": [{{"question": "...", "paraphrase": "...", "answer": "..."}}]}}

----------
{text}
----------"""

ANSWER = """\
Answer the question from the text between the lines of dashes, in as few words as possible and in the words of the \
text. If the text does not answer it, reply UNANSWERABLE.

----------
{text}
----------

Question: {question}
Answer:"""

UNANSWERABLE = "UNANSWERABLE"

AGAIN = """\
{prompt}

Your last reply could not be used: {problem}. It began: {reply}
Reply with the JSON object alone."""


def triplets_prompt(text: str) -> str:
    """The prompt for the triplets of a chunk."""
    return TRIPLETS.format(text=fenced(text))


def questions_prompt(text: str, count: int) -> str:
    """The prompt for questions about a chunk."""
    return QUESTIONS.format(text=fenced(text), count=count)


def answer_prompt(text: str, question: str) -> str:
    """The prompt for answering a question from a text alone."""
    return ANSWER.format(text=fenced(text), question=question)


def again_prompt(prompt: str, problem: str, reply: str) -> str:
    """The prompt with what was wrong with the last reply."""
    return AGAIN.format(prompt=prompt, problem=problem, reply=json.dumps(reply[:200], ensure_ascii=False))


def fenced(text: str) -> str:
    """The text without lines of dashes of its own, which would end the fence."""
    return "\n".join("-" if line and not line.strip("-\t ") else line for line in text.splitlines())
