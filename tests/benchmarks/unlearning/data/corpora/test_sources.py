"""Sources read from files and the hub: what they give, and one clear line for what they cannot read."""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from forgetscope.benchmarks.unlearning.data.corpora import SOURCES, CorpusSettings, corpus_settings
from forgetscope.benchmarks.unlearning.data.corpora.fairytaleqa import FairytaleSettings
from forgetscope.benchmarks.unlearning.data.corpora.folder import FolderSettings
from forgetscope.benchmarks.unlearning.data.corpora.muse import MuseSettings, muse_corpus
from forgetscope.benchmarks.unlearning.data.corpora.tofu import TofuSettings, tofu_corpus
from forgetscope.benchmarks.unlearning.data.records import QuestionSet
from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.io.hub import HubRow, HubSet


def write(path: Path, rows: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows), encoding="utf-8")


def write_lines(path: Path, rows: Iterable[object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")


@pytest.fixture
def muse_folder(tmp_path: Path) -> Path:
    for part, texts in {
        "forget": ["The mill burned.", " "],
        "retain1": ["A fair opened."],
        "retain2": ["The bridge opened."],
        "holdout": ["It rained."],
    }.items():
        write(tmp_path / "raw" / f"{part}.json", texts)
    rows = [{"question": "What burned?", "answer": "the mill"}]
    for part in ("forget_qa", "retain2_qa", "forget_qa_icl", "retain2_qa_icl"):
        write(tmp_path / "knowmem" / f"{part}.json", rows)
    write(tmp_path / "verbmem" / "forget.json", [{"prompt": "The mill", "gt": "burned."}])
    return tmp_path


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    for name, text in {"forget/mill.txt": "The mill burned.", "retain/bridge.md": "The bridge opened."}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    write_lines(
        tmp_path / "questions.jsonl",
        [
            {"set": "forget", "question": "What burned?", "answers": ["the mill"], "document": "mill", "id": "q1"},
            {"set": "forget", "question": "What caught fire?", "answers": ["the mill"], "paraphrase_of": "q1"},
            {"set": "retain", "question": "What opened?", "answers": ["the bridge"], "document": "bridge"},
        ],
    )
    return tmp_path


@pytest.fixture
def fairytale_folder(tmp_path: Path) -> Path:
    sections = ["A king lived\nalone.\n\nHe wept.", "A bird came.", "The bird sang."]
    write_lines(tmp_path / "stories_val.jsonl", [{"story": "the-king", "sections": sections}])
    write_lines(tmp_path / "stories_test.jsonl", [{"story": "the-wolf", "sections": ["A wolf ran."]}])
    question = {"story": "the-king", "question": "Who sang?", "answers": ["the bird", "the bird"]}
    write_lines(
        tmp_path / "qa_val.jsonl",
        [
            {**question, "cor_section": "3", "local_or_sum": "local"},
            {**question, "cor_section": "1, 2"},
            {**question, "cor_section": "2,3"},
        ],
    )
    write_lines(
        tmp_path / "qa_test.jsonl",
        [{"story": "the-wolf", "question": "Who ran?", "answers": ["a wolf"], "cor_section": "1"}],
    )
    return tmp_path


def test_muse_reads_the_published_layout(muse_folder: Path) -> None:
    corpus = MuseSettings(path=muse_folder, world="embedded").load()
    assert [document.text for document in corpus.forget] == ["The mill burned."]
    assert [document.text for document in corpus.retain] == ["The bridge opened."]
    assert corpus.verbatim[0].continuation == "burned."
    assert Counter(question.set for question in corpus.questions) == {QuestionSet.FORGET: 1, QuestionSet.RETAIN: 1}
    assert corpus.few_shot[QuestionSet.RETAIN][0].answers == ("the mill",)
    assert "knowmem/retain2_qa.json" in {entry.name for entry in corpus.provenance}


def test_muse_can_keep_both_retain_parts(muse_folder: Path) -> None:
    corpus = MuseSettings(path=muse_folder, world="embedded", retain="both").load()
    assert [document.id for document in corpus.retain] == ["retain1-0000", "retain2-0000"]


def test_muse_without_its_texts_says_where_to_get_them(tmp_path: Path) -> None:
    (tmp_path / "knowmem").mkdir()
    with pytest.raises(DataError, match=r"forget.json or forget.txt.*stand-in for Books"):
        MuseSettings(path=tmp_path, world="embedded").load()


def test_muse_asks_the_hub_for_pinned_splits() -> None:
    asked: list[HubSet] = []

    def rows(wanted: HubSet) -> list[HubRow]:
        asked.append(wanted)
        if wanted.config == "raw":
            return [{"text": f"Text of {wanted.split}."}]
        if wanted.config == "verbmem":
            return [{"prompt": "Text", "gt": "of forget."}]
        return [{"question": "What?", "answer": "a text"}]

    corpus = muse_corpus(MuseSettings(corpus="books", world="embedded"), rows)
    assert {wanted.path for wanted in asked} == {"muse-bench/MUSE-Books"}
    assert all(len(wanted.revision) == 40 for wanted in asked)
    assert {(wanted.config, wanted.split) for wanted in asked} >= {("raw", "retain2"), ("knowmem", "retain_qa")}
    assert corpus.name == "muse books"


def test_tofu_asks_the_hub_for_the_paraphrased_and_wrong_answers() -> None:
    def rows(wanted: HubSet) -> list[HubRow]:
        side = "retain" if str(wanted.config).startswith("retain") else str(wanted.config)[:6]
        plain: dict[str, object] = {"question": f"Who is the {side} author?", "answer": "Ada."}
        wrong: dict[str, object] = {
            "paraphrased_question": f"Name the {side} author.",
            "perturbed_answer": ["Bo.", "Cy."],
        }
        return [plain | wrong if "perturbed" in str(wanted.config) else plain]

    corpus = tofu_corpus(TofuSettings(forget="forget01"), rows)
    first, reworded = corpus.questions[:2]
    assert first.perturbed_answers == ("Bo.", "Cy.")
    assert reworded.paraphrase_of == first.id
    assert first.document == "forget-author-000"
    assert corpus.world[0].set is QuestionSet.WORLD


def test_a_folder_of_text_and_questions_is_a_corpus(own_folder: Path) -> None:
    write_lines(
        own_folder / "triplets.jsonl", [{"document": "mill", "head": "mill", "relation": "did", "tail": "burn"}]
    )
    write_lines(own_folder / "world.jsonl", [{"question": "What is frozen water?", "answers": ["ice"]}])
    corpus = FolderSettings(path=own_folder, repeats=3).load()
    assert corpus.forget[0].id == "mill"
    assert corpus.forget[0].repeats == 3
    assert corpus.gold_triplets["mill"][0].line == "mill | did | burn"
    assert corpus.questions[1].paraphrase_of == "q1"
    assert len(corpus.world) == 1


def test_questions_without_answers_are_one_clear_line(own_folder: Path) -> None:
    write_lines(own_folder / "questions.jsonl", [{"set": "forget", "question": "What burned?", "answers": []}])
    with pytest.raises(DataError, match=r"questions.jsonl:1: field 'answers'") as error:
        FolderSettings(path=own_folder).load()
    assert "\n" not in str(error.value)


def test_a_folder_whose_sides_are_the_same_is_refused(own_folder: Path) -> None:
    (own_folder / "retain" / "bridge.md").write_text("The mill burned.")
    with pytest.raises(DataError, match="forget and retain are the same text"):
        FolderSettings(path=own_folder).load()


def test_an_empty_folder_is_refused(own_folder: Path) -> None:
    (own_folder / "forget" / "mill.txt").unlink()
    with pytest.raises(DataError, match="the forget side is empty"):
        FolderSettings(path=own_folder).load()


def test_a_link_out_of_the_folder_is_refused(own_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("elsewhere") / "secret.txt"
    secret.write_text("Do not read me.")
    (own_folder / "forget" / "link.txt").symlink_to(secret)
    with pytest.raises(DataError, match="leads out of the corpus folder"):
        FolderSettings(path=own_folder).load()


def test_text_that_is_not_utf8_is_refused(own_folder: Path) -> None:
    (own_folder / "forget" / "mill.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not UTF-8"):
        FolderSettings(path=own_folder).load()


def test_fairytales_are_forgotten_to_their_middle_and_kept_from_there(fairytale_folder: Path) -> None:
    corpus = FairytaleSettings(path=fairytale_folder).load()
    assert [document.text for document in corpus.forget] == ["A king lived alone.\n\nHe wept.\n\nA bird came."]
    assert [document.id for document in corpus.retain] == ["the-king.2", "the-wolf"]
    assert corpus.notes == ("1 of 4 questions need sections of both sides and are left out",)
    sides = {question.id: question.set for question in corpus.questions}
    assert sides == {"val-0000": "retain", "val-0001": "forget", "test-0000": "retain"}
    third = next(question for question in corpus.questions if question.id == "val-0000")
    document = next(document for document in corpus.retain if document.id == third.document)
    assert third.span is not None
    assert document.text[slice(*third.span)] == "The bird sang."
    assert third.answers == ("the bird",)


def test_fairytales_can_be_kept_apart(fairytale_folder: Path) -> None:
    corpus = FairytaleSettings(path=fairytale_folder, retain="other_stories").load()
    assert [document.id for document in corpus.retain] == ["the-wolf"]
    assert len(corpus.questions) == 4


def test_a_question_about_a_missing_section_is_refused(fairytale_folder: Path) -> None:
    row = {"story": "the-wolf", "question": "Who ran?", "answers": ["a wolf"], "cor_section": "7"}
    write_lines(fairytale_folder / "qa_test.jsonl", [row])
    with pytest.raises(DataError, match="a section that the-wolf has not; found 7"):
        FairytaleSettings(path=fairytale_folder).load()


def test_a_fairytale_question_without_answers_is_refused(fairytale_folder: Path) -> None:
    row = {"story": "the-wolf", "question": "Who ran?", "answers": [" "], "cor_section": "1"}
    write_lines(fairytale_folder / "qa_test.jsonl", [row])
    with pytest.raises(DataError, match=r"qa_test.jsonl:1: field 'answers.0'"):
        FairytaleSettings(path=fairytale_folder).load()


def test_settings_are_told_apart_by_their_source() -> None:
    assert set(SOURCES) == {"embedded", "muse", "tofu", "fairytaleqa", "folder"}
    assert all(issubclass(settings, CorpusSettings) and settings.summary for settings in SOURCES.values())
    assert corpus_settings({"source": "tofu", "forget": "forget01"}) == TofuSettings(forget="forget01")


def test_an_unknown_source_or_setting_is_named() -> None:
    with pytest.raises(UnknownNameError, match="unknown source of a corpus; found 'wmdp'; allowed: embedded"):
        corpus_settings({"source": "wmdp"})
    with pytest.raises(SettingError, match=r"speed.*allowed: .*entangled_share"):
        corpus_settings({"source": "embedded", "speed": 2})
    with pytest.raises(SettingError, match="path"):
        corpus_settings({"source": "folder"})


def test_the_real_fairytales_can_be_read(real_data: Path) -> None:
    folder = real_data / "fairytaleqa"
    if not folder.is_dir():
        pytest.skip("no FairytaleQA here")
    corpus = FairytaleSettings(path=folder).load()
    assert (len(corpus.forget), len(corpus.retain)) == (23, 46)
    texts = {document.id: document.text for document in corpus.documents}
    assert all(question.span and texts[question.document or ""][slice(*question.span)] for question in corpus.questions)


def test_the_real_tofu_can_be_read(real_data: Path) -> None:
    folder = real_data / "tofu"
    if not folder.is_dir():
        pytest.skip("no TOFU here")
    corpus = TofuSettings(path=folder).load()
    assert (len(corpus.forget), len(corpus.retain), len(corpus.world)) == (20, 180, 117)
    assert all(question.document for question in corpus.questions)
    assert len(corpus.questions[0].perturbed_answers) == 5


def test_the_real_muse_questions_can_be_read_beside_other_texts(real_data: Path, muse_folder: Path) -> None:
    folder = real_data / "muse" / "news" / "knowmem"
    if not folder.is_dir():
        pytest.skip("no MUSE questions here")
    for path in folder.glob("*.json"):
        (muse_folder / "knowmem" / path.name).write_bytes(path.read_bytes())
    corpus = MuseSettings(path=muse_folder, world="tofu", tofu_path=real_data / "tofu").load()
    assert Counter(question.set for question in corpus.questions) == {QuestionSet.FORGET: 100, QuestionSet.RETAIN: 100}
    assert len(corpus.world) == 117
