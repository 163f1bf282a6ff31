"""The samples themselves: every prompt with its reply, the target's beside each unlearned model's."""

from collections.abc import Mapping

from forgetscope.findings.figures import Browser, Column, FurtherAnswer, Section


def browser_section(models: Mapping[str, str]) -> Section:
    """Samples to filter and read.

    Args:
        models: By cell id what the model is called, the target first: the order in which replies stand side by side.
    """
    model = Column("cell", "Model", names=dict(models))
    browser = Browser(
        filters=(
            model,
            Column("method", "Method"),
            Column("forget_format", "Forget format"),
            Column("retain_subset", "Retain subset"),
            Column("semantics", "Losses"),
            Column("measure", "Measure"),
            Column("status", "Status"),
            Column("gibberish", "Gibberish"),
        ),
        shown=(
            model,
            Column("measure", "Measure"),
            Column("status", "Status"),
            Column("score", "ROUGE-L F1", "percent"),
            Column("reference", "Reference"),
        ),
        together=("corpus", "item", "form"),
        apart=model,
        answers=(FurtherAnswer("reference", "What would have been right"),),
        left_out=("prompt", "raw_pass", "seconds", "rouge_l_recall_stemmed", "rouge_1_recall"),
    )
    return Section(
        "Samples",
        (browser,),
        intro="Every prompt with the reply and what would have been right; the target's answer stands beside those of "
        "the unlearned models.",
        slug="samples",
    )
