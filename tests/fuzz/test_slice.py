"""A short fixed slice of `make fuzz`: the same damaged files, folders and replies every time."""

import time
from pathlib import Path

import pytest

from tests.fuzz.attack import Account, attack
from tests.fuzz.folders import attack_folders
from tests.fuzz.long_replies import CHARACTERS, ROWS, readers, too_slow
from tests.fuzz.providers import attack_normaliser
from tests.fuzz.targets import Target, make_run, targets


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> tuple[Target, ...]:
    return targets(tmp_path_factory.mktemp("made"))


def test_damaged_files_are_read_or_refused_in_one_line(known: tuple[Target, ...], tmp_path: Path) -> None:
    account = Account()
    attack(
        known,
        tmp_path,
        iter((*range(150), 1001916, 1002680, 2004665, 20261138, 20263450, 20268889, 20273186, 20276498)),
        account,
    )
    assert not account.broken, str(account)
    assert account.outcomes["read"] > 20
    assert account.outcomes["refused"] > 20


def test_every_kind_of_file_is_sound_before_it_is_damaged(known: tuple[Target, ...], tmp_path: Path) -> None:
    for target in known:
        target.use(target.place(tmp_path / "given", target.sound))


def test_hostile_run_folders_are_read_or_refused_in_one_line(tmp_path: Path) -> None:
    account = Account()
    attack_folders(make_run(tmp_path / "whole"), tmp_path, iter(range(8)), account)
    assert not account.broken, str(account)


def test_twisted_replies_of_a_provider_are_made_fit(tmp_path: Path) -> None:
    account = Account()
    attack_normaliser(tmp_path, iter(range(1500)), account)
    assert not account.broken, str(account)


@pytest.mark.parametrize("piece", [" ", "\n", "\n ", "\t", "<a", "[", "#", "Note ", "ab "])
def test_signs_for_a_judge_are_looked_for_in_no_time(piece: str) -> None:
    (read,) = [read for name, read in readers() if name == "suspicions"]
    started = time.process_time()
    read((piece * CHARACTERS)[:CHARACTERS])
    assert time.process_time() - started < 1.0


def test_a_long_reply_of_one_piece_hangs_no_reader() -> None:
    assert sum(1 for _ in readers()) > 100
    assert set(ROWS) <= {name.split()[0] for name, _ in readers()}
    reading = [name for name, _ in readers() if ":" not in name]
    slow = too_slow(("-", "=", "[", "<", "1 ", "A ", "don't ", "\n"), most=4.0, only=reading)
    assert not slow


def test_declines_and_names_are_read_in_a_fraction_of_a_second() -> None:
    reading = ("refusal", "blanket decline", "refusals", "triviaqa")
    assert not too_slow(("-", " ", "“", "don't ", "\n", "<think>", "```\n"), most=1.0, only=reading)


def test_what_reads_options_takes_no_time_over_a_long_reply_of_one_piece() -> None:
    pieces = ("? ", "A. ", "A ", "B) ", "not A, ", "<think>", "1 ", "\n")
    assert not too_slow(pieces, most=0.5, only=("mmlu", "visual", "in-context dp-001 forget"))


def test_rows_without_end_cost_what_a_page_of_them_costs() -> None:
    reading = ("in-context if-001 noforget", "in-context if-032 noforget", "in-context sr-001 noforget")
    assert not too_slow(("1 ", "a\n", "½", "P.S. "), most=0.3, only=reading)
