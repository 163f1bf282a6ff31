"""Knowledge memorisation: questions on the forget side, on low and high of the retain side, and on the world."""

from collections.abc import Sequence

from forgetscope.benchmarks.unlearning.data.records import Question
from forgetscope.benchmarks.unlearning.evaluation.asking import ask
from forgetscope.benchmarks.unlearning.evaluation.base import Asked, Measured, Subject
from forgetscope.benchmarks.unlearning.prompts import answer_in, is_past_answer, question_prompt, solved_examples


def knowledge(subject: Subject) -> Measured:
    """The questions as the source words them; measure `knowledge_SET`."""
    return _answers(subject, [q for q in _questions(subject) if not q.is_paraphrase], "knowledge")


def paraphrases(subject: Subject) -> Measured:
    """The same questions in other words, which no target has seen; measure `paraphrased_SET`.

    A question that is no longer answered while its paraphrase is was not forgotten, only its wording.
    """
    return _answers(subject, [q for q in _questions(subject) if q.is_paraphrase], "paraphrased")


def _questions(subject: Subject) -> Sequence[Question]:
    return (*subject.data.questions, *subject.data.world)


def _answers(subject: Subject, questions: Sequence[Question], form: str) -> Measured:
    if not questions:
        return Measured()
    prompts = [_prompt(subject, question) for question in questions]
    asked = [
        Asked(
            item=question.id,
            form=form,
            measure=f"{form}_{question.set}",
            prompt=text,
            references=question.answers,
            is_cut_by_design=False,
            question_set=question.set.value,
            used_for_kl=question.used_for_kl if question.document is not None else None,
            document=question.document,
            chunk=question.chunk,
        )
        for question, (text, _) in zip(questions, prompts, strict=True)
    ]
    rows = ask(
        subject,
        asked,
        [ids for _, ids in prompts],
        max_new_tokens=subject.settings.knowledge_max_tokens,
        read=answer_in,
        is_over=is_past_answer,
    )
    return Measured(samples=rows)


def _prompt(subject: Subject, question: Question) -> tuple[str, list[int]]:
    """What the model is shown, as text and as token ids."""
    tokenizer, style = subject.model.tokenizer, subject.settings.prompt
    if style == "chat":
        return question.question, tokenizer.chat(question.question)
    examples: Sequence[Question] = ()
    if style == "few_shot":
        examples = solved_examples(subject.data.few_shot, question.set)
    text = question_prompt(question.question, examples=examples, cue=subject.settings.answer_cue)
    return text, tokenizer.prompt(text)
