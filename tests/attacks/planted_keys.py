"""Keys planted everywhere, a server that repeats them everywhere, and a search of every file written.

`python -m tests.attacks.planted_keys` runs, judges, resumes, judges again, reports, compares, builds, makes formats,
and runs a task under Inspect (with `--demo` the demo too) in a home of its own, against a server that echoes each key
in errors, replies, reasoning, headers and fields that nobody reads, as it is and encoded. It then unpacks logs,
decodes tables, and prints a row a command and a row a secret; exit 1 where one is found.
"""

import argparse
import base64
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import inspect_ai.log  # noqa: F401 - teaches zipfile the compression of its logs
import polars as pl

from tests.benchmarks.in_context.construction.scripted import write_source
from tests.faults import server as faulty
from tests.faults.server import DIALECTS, Fault, FaultServer, Script

SECRETS = {
    "LEAKY_API_KEY": "sk-planted-api-key-000111",
    "SECOND_API_KEY_2": "planted/second+key=222333",
    "HF_TOKEN": "hf_plantedTokenABCDEF444",
    "AWS_SECRET_ACCESS_KEY": "wJalrPLANTED/K7MDENG+555",
    "MINE": "planted-under-a-plain-name-666",
    "SESSION_COOKIE": "planted; cookie=777 x",
}
"""By variable; MINE is a secret because it is given as an argument."""
IN_ADDRESSES = {"FTP_PROXY": "plantedProxyPw888", "DATABASE_URL": "planted%40db%2Fpw999"}
"""Passwords in addresses that stand in the environment."""

RUN = ["run", "prospective", "--limit", "24", "--loads", "mmlu", "--experiments", "load", "--conditions", "baseline"]
RUN += ["--seed", "42", "--max-retries", "1", "--completeness", "0"]
ONE = ["1" if before == "--limit" else word for before, word in zip(["", *RUN], RUN, strict=False)]
"""The same of one prompt: an option that is said twice is refused before anything is looked at."""
JUDGED = ["run", "in-context", "--limit", "2", "--max-retries", "1", "--completeness", "0", "--max-tokens", "64"]
SEEN = ["run", "visual", "--limit", "1", "--max-samples", "2", "--max-retries", "0", "--completeness", "0"]
MODEL = ["--model", "openai-api/leaky/m", "-M", "api_key=env:MINE"]

ECHOING = [
    *(Fault.UNAUTHORIZED, Fault.SERVER_ERROR, Fault.POLICY_400, Fault.CONTEXT_400, Fault.ERROR_OBJECT, Fault.NONE),
    *(Fault.THINK_BLOCK, Fault.REASONING_FIELD, Fault.REASONING_NAME, Fault.THINKING_PARTS, Fault.PARTS),
    *(Fault.TOOL_CALL_AND_TEXT, Fault.HTML, Fault.BAD_GATEWAY, Fault.UNASKED_STREAM, Fault.REDIRECT, Fault.LLAMA_CPP),
    *(Fault.OWN_FINISH, Fault.FILTER_WITH_TEXT, Fault.ODD_LOGPROBS, Fault.RATE_LIMIT, Fault.VLLM, Fault.CUT),
]


@dataclass(frozen=True)
class Done:
    """A command that was run."""

    words: list[str]
    code: int
    said: str


def ways(secret: str) -> dict[str, bytes]:
    """The secret as it may be found: by how it is written."""
    raw = secret.encode()
    return {
        "as it is": raw,
        "escaped for an address": quote(secret, safe="").encode(),
        "base64": base64.b64encode(raw)[: 8 * len(raw) // 6],
        "hexadecimal": raw.hex().encode(),
    }


def _environment(home: Path, address: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "PYTHONPATH", "LANG", "TMPDIR")}
    return {
        **kept,
        **SECRETS,
        "FTP_PROXY": f"ftp://me:{IN_ADDRESSES['FTP_PROXY']}@proxy.invalid:21",
        "DATABASE_URL": f"postgres://me:{IN_ADDRESSES['DATABASE_URL']}@db.invalid/x",
        "HOME": str(home),
        "LEAKY_BASE_URL": address,
        "OMP_NUM_THREADS": "1",
    }


def echoes() -> str:
    """Every secret in every way, in one text."""
    everything = [*SECRETS.values(), *IN_ADDRESSES.values()]
    inside = base64.b64encode("".join(f"key {secret}," for secret in everything).encode()).decode()
    return " ".join([*(way.decode() for secret in everything for way in ways(secret).values()), inside])


def attack(work: Path, *, with_demo: bool = False) -> list[Done]:
    """All commands, one after the other, in `work`."""
    told = echoes()
    faulty.REASONING = told
    faulty._PAGE = f"<html>{told}</html>".encode()
    DIALECTS[Fault.LLAMA_CPP] = lambda answer: faulty._shaped(
        faulty._said(answer, refusal=told, extra=told), top={"id": told, "system_fingerprint": told, "__verbose": told}
    )
    DIALECTS[Fault.OWN_FINISH] = lambda answer: faulty._shaped(faulty._said(answer), finish=told)
    faulty._CALL["function"] = {"name": told, "arguments": told}
    home = work / "home"
    home.mkdir()
    done: list[Done] = []
    scripts = [Script(fault) for fault in ECHOING]
    with FaultServer(scripts, echo=f" {told}", answer=lambda _: f"Answer B. {told}", elsewhere=_other(told)) as server:
        environment = _environment(home, server.url)

        def command(*words: str, more: Mapping[str, str] | None = None) -> None:
            program = ["-m", "inspect_ai"] if words[0] == "eval" else ["-c", "from forgetscope.cli import main; main()"]
            found = subprocess.run(
                [sys.executable, "-W", "ignore", *program, *words],
                cwd=work,
                env={**environment, **(more or {})},
                capture_output=True,
                text=True,
                timeout=1800,
                check=False,
            )
            done.append(Done(list(words), found.returncode, found.stdout + found.stderr))

        key, judge = SECRETS["LEAKY_API_KEY"], ["--judge", "openai-api/leaky/judge"]
        command(*RUN, *MODEL, "--out", "run")
        command("resume", "run")
        command("report", "run")
        command(*JUDGED, *MODEL, *judge, "-J", "api_key=env:MINE", "--out", "judged")
        command("rejudge", "judged")
        command("resume", "judged")
        command("compare", "run", "run", "--out", "compared")
        with FaultServer(echo=f" {told}", answer=lambda _: told) as calm:  # for there is no way to say: no retries
            base = ["--judge-base-url", calm.url]
            command("try-judge", "openai-api/leaky/judge", "--scenario", "dynamic_preference", "--json", *base)
        # The one short request before a run meets the echoes too; with a picture its reply is told in a warning.
        for place, fault in enumerate((Fault.UNAUTHORIZED, Fault.REDIRECT, Fault.POLICY_400, Fault.TOOL_CALL_AND_TEXT)):
            with FaultServer([Script(fault)], echo=f" {told}", elsewhere=_other(told), knows_probes=False) as asked:
                command(*ONE, *MODEL, "--model-base-url", asked.url, "--out", f"asked-{place}")
        with FaultServer(echo=f" {told}", answer=lambda _: told, knows_probes=False) as asked:
            command(*SEEN, *MODEL, "--model-base-url", asked.url, "--out", "seen")
        # Given so that they would be written down: kept by the name of the variable, or refused with exit 2.
        named = ["-M", "organization=env:MINE"]  # else MINE is a variable like any other
        command(*ONE, *MODEL[:2], *named, "-M", f"api_key={key}", "--out", "by-name")
        headers = '{"X-Key": "%s"}'
        given = f"default_headers={headers % key}"
        command(*ONE, *MODEL[:2], *named, "-M", given, "--out", "headers")
        command(*RUN, *MODEL[:2], "-M", f"default_headers={headers % ('Bearer ' + key)}", "--out", "refused-1")
        command(*ONE, *MODEL[:2], "-M", f'others=["{key}"]', "--out", "refused-2")
        command(*RUN, *MODEL[:2], "-M", "note=ghp_abcdefghijklmnop0123456789", "--out", "refused-3")
        command(*RUN, *MODEL[:2], "-M", "api_key=998877665544332211", "--out", "refused-4")
        with_password = server.url.replace("http://", f"http://me:{IN_ADDRESSES['FTP_PROXY']}@")
        command(*RUN, *MODEL[:2], "--model-base-url", with_password, "--out", "refused-5")
        command(*RUN, *MODEL[:2], "--out", "refused-6", more={"LEAKY_BASE_URL": with_password})
        prices = work / "prices.yaml"
        prices.write_text(f"openai-api/leaky/m: {{input: {key}, output: 1}}\n", encoding="utf-8")
        command(*RUN, *MODEL[:2], "--prices", "prices.yaml", "--max-usd", "1", "--out", "refused-7")
        prices.unlink()
        command(*RUN, *MODEL[:2], "-M", key, "--out", "refused-8")
        command("resume", "run", "-M", f"api_key={key}x")
        # Other commands that write, and our tasks under Inspect's command line, whose models repeat what they like.
        write_source(work / "source", dialogues=1, instructions=1, preferences=1)
        command(
            "build",
            "in-context",
            "--source",
            "source",
            "--builder",
            "openai-api/leaky/m",
            "-M",
            "api_key=env:MINE",
            "--out",
            "built",
        )
        command("unlearn", "formats", "--out", "formats")
        task = [
            "eval",
            "forgetscope/prospective",
            "-T",
            "limit=3",
            "-T",
            "experiments=load",
            "-T",
            "conditions=baseline",
        ]
        task += ["-T", "loads=mmlu", "--display", "plain"]
        own = ["--model", "forgetscope/reference/fading"]
        command(*task, *own, "--log-dir", "inspected")
        command(*task, *own, "-T", f"data={key}", "--log-dir", "inspected-data")
        command(*task, *own, "-T", f"api_key={key}", "--log-dir", "inspected-unknown")
        if with_demo:
            command("demo", "--quick", "--out", "demo")
    return done


def _other(told: str) -> str:
    return f"http://127.0.0.1:9/{quote(told)[:500]}"


def texts_of(path: Path) -> Iterator[bytes]:
    """What a file holds, unpacked or decoded where it is an archive or a table."""
    raw = path.read_bytes()
    yield raw
    if path.suffix == ".eval":
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                yield archive.read(name)
    elif path.suffix == ".parquet":
        yield pl.read_parquet(path).write_ndjson().encode()
    elif raw[:2] == b"\x1f\x8b":
        import gzip

        yield gzip.decompress(raw)


def search(work: Path, done: list[Done]) -> tuple[int, list[str]]:
    """Files searched, and every place where a secret stands."""
    found: list[str] = []
    files = [path for path in sorted(work.rglob("*")) if path.is_file()]
    wanted = [(name, how, way) for name, value in _all().items() for how, way in ways(value).items()]
    places = [(str(path.relative_to(work)), text) for path in files for text in texts_of(path)]
    ours = [one for one in done if one.words[0] != "eval"]  # Inspect repeats what was typed
    places += [(f"what `{' '.join(one.words[:2])}` printed", one.said.encode()) for one in ours]
    for place, text in places:
        slashes = text.replace(b"\\/", b"/")
        found += [f"{name} {how} in {place}" for name, how, way in wanted if way in text or way in slashes]
    return len(files), found


def _all() -> dict[str, str]:
    return {**SECRETS, **IN_ADDRESSES}


def main() -> None:
    """Attack, search, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="leave the folder for a look")
    parser.add_argument("--demo", action="store_true", help="the demo too, which takes some minutes")
    asked = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="forgetscope-planted-"))
    began = time.monotonic()
    done = attack(work, with_demo=asked.demo)
    print("| command | exit | last line |\n|---|--:|---|")
    for one in done:
        last = (one.said.strip().splitlines() or [""])[-1]
        print(f"| {' '.join(one.words)[:90]} | {one.code} | {last[:160]} |")
    files, found = search(work, done)
    print(f"\n{files} files, {len(_all())} secrets, each written {len(ways('x' * 20))} ways: {len(found)} hits")
    for line in found:
        print(line)
    print(f"{(time.monotonic() - began) / 60:.0f} min")
    if asked.keep:
        print(work)
    else:
        import shutil

        shutil.rmtree(work)
    sys.exit(1 if found or any(one.code not in (0, 1, 2) for one in done) else 0)


if __name__ == "__main__":
    main()
