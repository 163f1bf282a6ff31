"""What takes files of others: each with a sound file of its kind, and the function that reads it to the end."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from pathlib import Path

from forgetscope.annotation.design import AnnotatorVerdict
from forgetscope.annotation.files import FORMAT, VERSION, read_annotation, sheet_text
from forgetscope.annotation.sampling import reply_key, study_name
from forgetscope.api.data import data_sources
from forgetscope.api.runs import load
from forgetscope.api.scoring import score
from forgetscope.benchmarks import get_benchmark
from forgetscope.benchmarks.in_context.data.loading import load_data as load_in_context
from forgetscope.benchmarks.unlearning.data.built import read_triplets
from forgetscope.benchmarks.unlearning.data.corpora.folder import FolderSettings
from forgetscope.benchmarks.unlearning.grid.cells import GridFolder, read_result
from forgetscope.benchmarks.unlearning.grid.configuration import read_settings
from forgetscope.benchmarks.unlearning.grid.preparing import read_grid
from forgetscope.benchmarks.visual.data.loading import load_data as load_visual
from forgetscope.benchmarks.visual.data.pictures import PictureError, open_picture
from forgetscope.benchmarks.visual.splits.build import read_labels
from forgetscope.benchmarks.visual.splits.item_files import read_prompt_rows
from forgetscope.checkers import read_prompts
from forgetscope.core.errors import DataError
from forgetscope.report import write_report
from forgetscope.report.summary import read_summary
from forgetscope.running.costs.prices import read_prices
from forgetscope.running.execute import start_run
from forgetscope.running.judgements import JudgementFile
from forgetscope.running.manifest import Limits, ModelSpec
from tests.benchmarks.unlearning.grid_folders import by_method, cells, write_cells
from tests.benchmarks.visual import layouts

Use = Callable[[Path], object]
"""Reads the file, or the folder it lies in, as a command would."""


@dataclass(frozen=True)
class Target:
    """A kind of file.

    Attributes:
        name: For messages.
        file: What it is called in its folder.
        sound: Its content as it should be.
        use: What reads it.
        beside: Files of the same folder, by name.
    """

    name: str
    file: str
    sound: bytes
    use: Use
    beside: tuple[tuple[str, bytes], ...] = ()

    def place(self, folder: Path, content: bytes) -> Path:
        """The file with this content, in a folder of its own."""
        shutil.rmtree(folder, ignore_errors=True)
        for name, held in (*self.beside, (self.file, content)):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(held)
        return folder / self.file


def lines(*rows: object) -> bytes:
    """Rows as JSON Lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


REPLIES: dict[str, list[dict[str, object]]] = {
    "gsm8k": [
        {"gold": 4, "reply": "2 + 2 = **4**", "question": "Two and two?"},
        {"gold": [4, 5], "reply": '{"problem_1": 4, "problem_2": 5}', "prompt": "1. Two and two? 2. Two and three?"},
    ],
    "mmlu": [
        {"question": "Wet?", "choices": ["Sand", "Water", "Fire", "Dust"], "right": "B", "reply": "The answer is B."}
    ],
    "triviaqa": [{"question": "What rains?", "value": "Water", "aliases": ["H2O"], "reply": "It is water."}],
    "constraints": [{"prompt": "Write about rain without commas.", "response": "It rains."}],
    "refusals": [{"reply": "I'm sorry, I can't help with that."}, {"reply": "Sure: 4."}],
    "visual": [{"choices": ["cat", "dog", "bird", "fish"], "right": 1, "reply": "1"}],
    "in-context": [
        {"item": "if-001", "form": "forget", "reply": "I don't know."},
        {"item": "dp-001", "form": "forget", "reply": "A"},
        {"item": "sr-001", "form": "forget", "reply": "Dear Mr Okafor", "original_reply": "Dear Sir"},
    ],
}
PROMPTS = lines(
    {
        "key": 1,
        "prompt": "Write about rain without commas.",
        "instruction_id_list": ["punctuation:no_comma"],
        "kwargs": [{}],
    }
)

CONFIGURATION = b"""methods: [ga]
formats: [raw]
retain_subsets: [original]
training: {learning_rate: 1.0e-4, epochs: 2}
experiments:
  - target: {model: shipped, fit: null}
    data: {corpus: {source: embedded}}
"""

DATA = {
    "ifeval": PROMPTS,
    "triviaqa": lines({"question_id": "t1", "question": "What falls as rain?", "answers": ["Water"]}),
    "mmlu": lines(
        {"question": "What is wet?", "subject": "rain", "choices": ["Sand", "Water", "Fire", "Dust"], "answer": 1}
    ),
    "gsm8k": lines({"question": "Two and two drops?", "answer": "2 + 2 = 4\n#### 4"}),
    "cnn_dailymail": lines({"id": "a1", "article": "It rained again. " * 180, "highlights": "It rained."}),
}

CORPUS = {
    "forget/one.txt": b"Ada lives in Rome. She paints.",
    "retain/two.txt": b"Ben lives in Oslo. He sings.",
    "questions.jsonl": lines(
        {"set": "forget", "question": "Where does Ada live?", "answers": ["Rome"], "document": "one"}
    ),
    "world.jsonl": lines({"question": "What is wet?", "answers": ["Water"]}),
    "triplets.jsonl": lines({"document": "one", "head": "Ada", "relation": "lives in", "tail": "Rome"}),
    "verbatim.jsonl": lines({"prompt": "Ada lives", "continuation": "in Rome"}),
}


def _plan_prospective(path: Path) -> object:
    benchmark = get_benchmark("prospective")
    given = {"data": str(path.parents[1]), "experiments": "load", "loads": "mmlu,triviaqa,gsm8k_x1", "seeds": (42,)}
    return benchmark.plan(benchmark.settings.model_validate(given | {"prompts": "all"}))


def _plan_in_context(path: Path) -> object:
    load_in_context.cache_clear()
    benchmark = get_benchmark("in-context")
    return benchmark.plan(benchmark.settings.model_validate({"data": str(path.parent)}))


def _plan_visual(path: Path) -> object:
    benchmark = get_benchmark("visual")
    given = {"data": str(path.parents[1]), "images": str(path.parents[2])}
    return benchmark.plan(benchmark.settings.model_validate(given)), load_visual(given["data"], images=given["images"])


def _own(name: str) -> bytes:
    folder = files("forgetscope.benchmarks.in_context.data") / "embedded"
    return "".join((folder / name).read_text(encoding="utf-8").splitlines(keepends=True)[:3]).encode()


def _annotations() -> tuple[bytes, bytes]:
    keys = [reply_key(7, name) for name in ("a", "b")]
    judged = [{"key": key, "judgement": None, "comment": "=1"} for key in keys]
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "study": study_name(7, keys),
        "seed": 7,
        "annotator": 1,
        "judgements": judged,
    }
    rows = [[whole["study"], 7, 1, n, key, "?", "", "", "reply", "", ""] for n, key in enumerate(keys)]
    return json.dumps(whole).encode(), sheet_text([[str(cell) for cell in row] for row in rows]).encode()


def _picture(shade: int = 0) -> bytes:
    import io

    from PIL import Image

    written = io.BytesIO()
    Image.effect_mandelbrot((32, 32), (-3, -2.5 - shade / 9, 2, 2.5), 9).save(written, "PNG")
    return written.getvalue()


def _open_picture(path: Path) -> object:
    try:
        opened = open_picture(path.parent, path.name)
    except PictureError as error:
        raise DataError(str(error)) from error
    return opened.image(), opened.data_uri()


JUDGEMENTS = lines(
    {"line": "opened", "round": "one", "judges": ["j"], "specifications": ["j"]},
    {
        "line": "judged",
        "round": "one",
        "sample": "s",
        "judgement": {"aspect": "a", "rubric": "r", "judge": "j", "verdict": None, "replies": []},
    },
    {"line": "closed", "round": "one"},
)


@cache
def targets(made: Path) -> tuple[Target, ...]:
    """All of them.

    Args:
        made: A folder for sound grids and splits, which are made once.
    """
    grid = write_cells(made / "grid", cells(), by_method)
    cell = next((made / "grid" / "cells").iterdir())
    split = _split(made / "split")
    as_json, as_csv = _annotations()
    run = _run(made / "run")
    corpus = tuple(CORPUS.items())
    data = tuple((f"{role}/{role}.jsonl", content) for role, content in DATA.items())
    own = tuple(
        (name, _own(name))
        for name in (
            "instructional_forgetting.jsonl",
            "subtask_revision.jsonl",
            "dynamic_preference.jsonl",
            "filler.jsonl",
        )
    )
    return (
        *(
            Target(
                f"replies: {kind}", "replies.jsonl", lines(*rows), partial(_score, kind), (("prompts.jsonl", PROMPTS),)
            )
            for kind, rows in REPLIES.items()
        ),
        Target("prompts", "prompts.jsonl", PROMPTS, read_prompts),
        Target(
            "prices",
            "prices.yaml",
            b"openai/gpt-5:\n  input: 1.25\n  output: 10.0\nanthropic/*: {input: 3, output: 15}\n",
            read_prices,
        ),
        Target("configuration", "grid.yaml", CONFIGURATION, read_settings),
        Target("configuration in TOML", "grid.toml", b'methods = ["ga"]\n[training]\nepochs = 2\n', read_settings),
        Target("annotation", "annotator-1.json", as_json, partial(read_annotation, answers=[*AnnotatorVerdict])),
        Target("spreadsheet", "annotator-1.csv", as_csv, partial(read_annotation, answers=[*AnnotatorVerdict])),
        Target("labels", "labels.csv", b"image,label,supercategory\na.png,cat,animal\nb.png,dog,animal\n", read_labels),
        Target(
            "questions",
            "questions.jsonl",
            lines({"question": "What?", "choices": ["a", "b"], "class_name": "a"}),
            read_prompt_rows,
        ),
        Target("picture", "picture.png", _picture(), _open_picture),
        Target(
            "judgements", "judgements.jsonl", JUDGEMENTS, lambda path: JudgementFile(path.parent).instead_of("s", ())
        ),
        Target(
            "triplets",
            "triplets.jsonl",
            lines({"chunk": "c", "head": "a", "relation": "r", "tail": "b"}),
            read_triplets,
        ),
        Target(
            "grid", "grid.json", (grid.path / "grid.json").read_bytes(), lambda path: read_grid(GridFolder(path.parent))
        ),
        Target("cell", "result.json", (cell / "result.json").read_bytes(), lambda path: read_result(path.parent)),
        *(Target(f"run: {name}", name, content, _load_run, run) for name, content in run),
        *(Target(f"corpus: {name}", name, content, lambda path: _corpus(path), corpus) for name, content in corpus),
        *(Target(f"data: {name}", name, content, _plan_prospective, data) for name, content in data),
        *(Target(f"items: {name}", name, content, _plan_in_context, own) for name, content in own),
        *(
            Target(f"split: {name}", name, content, _plan_visual, split)
            for name, content in split
            if name.startswith("own/split/") and name.endswith(("json", "jsonl"))
        ),
        *(
            Target(f"source: {name}", "rows.jsonl", DIALOGUES, partial(_read_source, "in-context", name))
            for name in ("chatalpaca", "lmsys")
        ),
        *(
            Target(f"source: {name} {file}", file, content, partial(_read_source, "visual", name), layout)
            for name, layout in ((name, _layout(name, made / name)) for name in LAYOUTS)
            for file, content in layout
            if Path(file).suffix in (".json", ".jsonl", ".txt")
        ),
    )


def _score(kind: str, path: Path) -> object:
    prompts = path.parent / "prompts.jsonl" if kind == "constraints" else None
    return score(kind, path, path.parent / "scored.jsonl", prompts=prompts)


def _corpus(path: Path) -> object:
    root = next(parent for parent in path.parents if (parent / "retain").is_dir())
    return FolderSettings(path=root).load()


def _split(folder: Path) -> tuple[tuple[str, bytes], ...]:
    """A split of drawn pictures, as `visual split` writes it, with its pictures."""
    from forgetscope.benchmarks.visual.splits.build import BuildOptions, build_own

    images = folder / "images"
    images.mkdir(parents=True)
    names = ("cat", "dog", "owl", "ant", "elk", "cow")
    rows = [f"{name}-{number}.png,{name},animal" for name in names for number in range(3)]
    for shade, row in enumerate(rows):
        (images / row.split(",")[0]).write_bytes(_picture(shade))
    (folder / "labels.csv").write_text("image,label,supercategory\n" + "\n".join(rows) + "\n", encoding="utf-8")
    build_own(images, folder / "labels.csv", folder / "out", BuildOptions())
    found = [path for path in sorted((folder / "out").rglob("*")) if path.is_file()]
    made = [(f"own/{path.relative_to(folder / 'out')}", path.read_bytes()) for path in found]
    return (*made, *((path.name, path.read_bytes()) for path in sorted(images.iterdir())))


LAYOUTS = {"coco": layouts.coco, "indoor67": layouts.indoor67, "spatialmqa": layouts.spatialmqa}
DIALOGUES = lines(
    {"id": "a", "conversation": [{"role": "user", "content": "?"}, {"role": "assistant", "content": "!"}]},
    {"id": "b", "messages": [{"from": "human", "value": "?"}, {"from": "gpt", "value": "!"}], "language": "English"},
)


def _layout(name: str, root: Path) -> tuple[tuple[str, bytes], ...]:
    LAYOUTS[name](root)
    return tuple((f"{name}/{path.relative_to(root)}", path.read_bytes()) for path in root.rglob("*") if path.is_file())


def _read_source(benchmark: str, name: str, path: Path) -> object:
    root = next((parent for parent in path.parents if parent.name == name), path)
    (source,) = [source for source in data_sources()[benchmark] if source.name == name]
    return source.read(root)


def make_run(folder: Path) -> Path:
    """A finished run of a reference model."""
    benchmark = get_benchmark("prospective")
    given = {"limit": 3, "loads": "mmlu", "seeds": (42,), "experiments": "load", "conditions": "baseline"}
    settings = benchmark.settings.model_validate(given)
    model = ModelSpec(name="forgetscope/reference/perfect")
    write_report(start_run(benchmark, settings, benchmark.plan(settings), model, Limits(), folder, display="none"))
    return folder


def _run(folder: Path) -> tuple[tuple[str, bytes], ...]:
    make_run(folder)
    kept = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".html"]
    return tuple((str(path.relative_to(folder)), path.read_bytes()) for path in sorted(kept))


def _load_run(path: Path) -> object:
    root = next(parent for parent in path.parents if parent.name == "given")
    return load(root).results, load(root).figures, read_summary(root / "summary.json")
