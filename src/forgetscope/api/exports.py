"""A run's folder, or a build's, handed to a form that others read."""

from pathlib import Path

from forgetscope.api.runs import load
from forgetscope.exporting import writer_of
from forgetscope.io.files import claim_folder, nothing_left, require_apart, require_plain


def export(folder: str | Path, form: str, out: str | Path) -> tuple[Path, ...]:
    """Write a run in a form of `exporting.FORMATS` into a new folder, and return the files.

    The figures are computed from the sample table; nothing that the folder's own page or summary says is taken over. A
    folder with a link in it is refused.

    Args:
        folder: Of a run or an unlearning grid; for `croissant` also one of items that `forgetscope build` made.
        form: `eee`, `croissant`, `hf`, `hf-all`, `csv` or `latex`.
        out: New or empty.

    Raises:
        UnknownNameError: there is no such form.
        RunFolderError: not such a folder, or `out` holds something.
        SettingError: `out` lies in the folder of a run.
    """
    source, place = Path(folder), Path(out)
    writer = writer_of(form)
    require_plain(source)
    require_apart(place, [source])
    if form == "croissant" and not (source / "run.json").is_file() and any(source.glob("*.jsonl")):
        from forgetscope.exporting.croissant import write_build

        claim_folder(place, "choose another with --out")
        with nothing_left(place):
            return write_build(source, place)
    from forgetscope.report.write import chapter_of

    chapter = chapter_of(load(source)._source)
    claim_folder(place, "choose another with --out")
    return writer(chapter, place)
