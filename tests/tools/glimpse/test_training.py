from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch trains the embedded models; it is not needed to use them")

from forgetscope.core.errors import DataError  # noqa: E402
from forgetscope.models.glimpse.network import Network  # noqa: E402
from forgetscope.models.glimpse.shape import HOW, SHOWN, DecoderShape, echoes, head_biases  # noqa: E402
from forgetscope.models.glimpse.storage import load_tensors, weights_folder  # noqa: E402
from forgetscope.models.glimpse.vocabulary import IDENTITY, Vocabulary  # noqa: E402
from forgetscope.stats import named_stream  # noqa: E402
from tools.glimpse import loop, projector  # noqa: E402
from tools.glimpse.batches import BatchMaker, LessonBatch, Sights, option_places  # noqa: E402
from tools.glimpse.curriculum import LessonSubject, Teacher, World  # noqa: E402
from tools.glimpse.decoder import Decoder  # noqa: E402
from tools.glimpse.sights import Looked  # noqa: E402

SUBJECTS = tuple(LessonSubject(name, "animal", SHOWN) for name in ("dog", "cat", "bear", "fox", "wolf", "owl")) + tuple(
    LessonSubject(name, "colour", HOW) for name in ("red", "green", "blue", "black")
)
SHAPE = DecoderShape(width=32, heads=4, layers=2, inner=48, views=2)
SCHOOLING = loop.Schooling(seed=1, steps=4, batch=8, shape=SHAPE)


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary.load(weights_folder() / "vocabulary.safetensors")


@pytest.fixture(autouse=True)
def _one_thread() -> Iterator[None]:
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def _sights(vocabulary: Vocabulary) -> Sights:
    codes = np.stack([vocabulary.name_code(subject.name) for subject in SUBJECTS])
    bank = np.repeat(codes[:, None], 2, axis=1)
    return Sights(bank, {row: np.array([row]) for row in range(len(SUBJECTS))}, codes, -bank)


def _train(vocabulary: Vocabulary, checkpoint: Path, schooling: loop.Schooling = SCHOOLING) -> Decoder:
    return loop.train_decoder(
        World(SUBJECTS), _sights(vocabulary), vocabulary, schooling, checkpoint, report=lambda _: None
    )


UNTIL_LEARNED = replace(SCHOOLING, cooling=2, goal=loop.Goal(share=0.0, over=2, least=2))


@pytest.mark.parametrize("schooling", [SCHOOLING, UNTIL_LEARNED], ids=["so many steps", "until learned"])
def test_a_killed_training_goes_on_to_the_same_weights(
    vocabulary: Vocabulary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, schooling: loop.Schooling
) -> None:
    whole = _train(vocabulary, tmp_path / "whole.checkpoint", schooling).state_dict()
    monkeypatch.setattr(loop, "CHECKPOINT_SECONDS", -1)
    steps, step = 0, loop._step

    def stop_at_the_third(decoder: Decoder, batch: LessonBatch) -> tuple[object, loop.Record]:
        nonlocal steps
        steps += 1
        if steps == 3:
            raise KeyboardInterrupt
        return step(decoder, batch)

    monkeypatch.setattr(loop, "_step", stop_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        _train(vocabulary, tmp_path / "killed.checkpoint", schooling)
    assert torch.load(tmp_path / "killed.checkpoint", weights_only=True)["step"] == 2
    resumed = _train(vocabulary, tmp_path / "killed.checkpoint", schooling).state_dict()
    assert loop.finished_steps(tmp_path / "killed.checkpoint") == 4
    assert all(torch.equal(whole[name], resumed[name]) for name in whole)


@pytest.mark.parametrize(("share", "steps"), [(0.0, 3), (1.1, 5)])
def test_a_course_ends_when_enough_is_right_and_otherwise_at_its_ceiling(
    vocabulary: Vocabulary, tmp_path: Path, share: float, steps: int
) -> None:
    schooling = replace(SCHOOLING, cooling=1, goal=loop.Goal(share, over=2, least=2))
    assert loop.finished_steps(tmp_path / "a.checkpoint") is None
    _train(vocabulary, tmp_path / "a.checkpoint", schooling)
    assert loop.finished_steps(tmp_path / "a.checkpoint") == steps


def test_a_goal_is_the_mean_over_what_is_forbidden_and_what_is_permitted() -> None:
    schooling = replace(SCHOOLING, steps=9, cooling=4, goal=loop.Goal(0.6, over=2, least=2))
    always_forbears: list[loop.Record] = [(1.0, 0.9, 8.0, 8.0, 2.0, 12.0)] * 3
    assert loop._shares(always_forbears) == [1.0, 2 / 12]
    assert loop._end(3, always_forbears, schooling) is None
    assert loop._end(3, [*always_forbears, (1.0, 0.9, 8.0, 8.0, 10.0, 12.0)], schooling) == 7
    assert loop._end(1, always_forbears, schooling) is None
    assert loop._end(9, always_forbears, schooling) == 13


def test_shares_are_of_lessons_that_show_a_forbidden_or_a_permitted_option() -> None:
    labels = np.array([[1, 1], [0, 0], [1, 0], [0, 1], [0, 0], [0, 1]], np.float32)
    rows, none = np.array([0, 0, 1, 1, 2, 2]), np.zeros(6)
    batch = LessonBatch(none, none, none, none, none, none, rows, none, labels)  # type: ignore[arg-type]
    assert list(loop._counts(np.array([True, False, True]), batch)) == [1, 1, 0, 1]


def test_the_rate_stays_until_the_end_is_known_and_falls_to_nothing() -> None:
    assert loop._rate(500, None, 10) == loop.PEAK_RATE
    rates = [loop._rate(step, 510, 10) for step in range(498, 510)]
    assert rates[:2] == [loop.PEAK_RATE] * 2
    assert rates[1:] == sorted(rates[1:], reverse=True)
    assert 0 < rates[-1] < 0.1 * loop.PEAK_RATE


def test_a_checkpoint_of_an_earlier_way_of_training_is_refused(vocabulary: Vocabulary, tmp_path: Path) -> None:
    torch.save({"decoder": {}, "optimiser": {}, "step": 3}, tmp_path / "old.checkpoint")
    with pytest.raises(DataError, match="earlier way"):
        _train(vocabulary, tmp_path / "old.checkpoint")


def test_the_decoder_in_use_and_in_training_say_the_same(vocabulary: Vocabulary) -> None:
    torch.manual_seed(3)
    decoder = Decoder(SHAPE, loop.token_table(vocabulary)).eval()
    weights = {name: tensor.numpy() for name, tensor in decoder.state_dict().items()}
    network = Network(weights, vocabulary, SHAPE)
    texts = ["Q: What is it?\n\n0) dog\n1) polar bear\n\nAnswer:", "Never say dog. dog"]
    views = named_stream(1, "views").standard_normal((2, 2, IDENTITY)).astype(np.float32)
    rows = [vocabulary.encode(text) for text in texts]
    length = max(map(len, rows))
    tokens, mask = np.zeros((2, length), np.int64), np.zeros((2, length), np.bool_)
    for number, row in enumerate(rows):
        tokens[number, : len(row)], mask[number, : len(row)] = row, True
    echo = echoes(vocabulary.words[tokens], mask)
    with torch.no_grad():
        states, _ = decoder(*(torch.from_numpy(part) for part in (tokens, mask, views, echo)))
        last = torch.from_numpy(mask.sum(axis=1) - 1)
        expected = decoder.logits(states[torch.arange(2), last], torch.from_numpy(views)).numpy()
    for number, row in enumerate(rows):
        found, _ = network.next_scores(row, views[number])
        assert np.allclose(found, expected[number], atol=2e-3)


def test_echoes_say_whether_a_word_stands_before_or_after_and_ignore_padding() -> None:
    words, mask = np.array([[5, 7, 5, 7]]), np.array([[True, True, True, False]])
    assert echoes(words, mask)[0].tolist() == [[0, 1], [0, 0], [1, 0], [0, 0]]


def test_content_heads_never_see_themselves_and_the_others_look_one_way() -> None:
    back, ahead, content = head_biases(3, 4)[0]
    assert (np.diag(content) < -1e8).all()
    assert (back[np.triu_indices(4, 1)] < -1e8).all()
    assert (ahead[np.tril_indices(4, -1)] < -1e8).all()
    assert back[3, 2] > back[3, 0]


def test_the_digits_of_the_options_are_found_and_no_other_digits(vocabulary: Vocabulary) -> None:
    prompt = "Pick 0, 1 or 2.\n\n0) dog\n1) 3 bears\n2) cat\n\nSay 0, 1 or 2.\nAnswer:"
    tokens = vocabulary.encode(prompt)
    places = option_places(tokens, 3, vocabulary)
    assert [vocabulary.decode(tokens[place : place + 3]) for place in places] == ["0) dog", "1) ", "2) cat"]


def test_two_makers_of_one_seed_make_equal_batches(vocabulary: Vocabulary) -> None:
    makers = [
        BatchMaker(
            Teacher(World(SUBJECTS), named_stream(2, "a")), _sights(vocabulary), vocabulary, named_stream(2, "b")
        )
        for _ in range(2)
    ]
    first, second = (maker.next() for maker in makers)
    assert np.array_equal(first.tokens, second.tokens)
    assert np.array_equal(first.views, second.views)
    assert first.option_labels.shape == (len(first.option_row), 2)


def _looked() -> tuple[Looked, np.ndarray]:
    stream = named_stream(4, "looked")
    centres = stream.standard_normal((6, 3024))
    subject = np.tile(np.arange(6), 40)
    features = (centres[subject] + 0.3 * stream.standard_normal((240, 3024))).astype(np.float16)
    return Looked(features, subject, np.arange(240) % 3, np.arange(240)), subject


def test_a_projector_learns_to_point_at_the_names_it_met_and_at_no_other(vocabulary: Vocabulary) -> None:
    looked, subject = _looked()
    codes = _sights(vocabulary).codes
    scaling = projector.scaling_of(looked.features)
    met = subject != 2
    head = projector.fit_head(looked, scaling, SUBJECTS, codes, SHOWN, met, seed=0, epochs=6)
    likeness = head.tokens(scaling.scaled(looked.features)) @ codes[:6].T
    assert (likeness.argmax(axis=1) == subject)[met].mean() > 0.95
    assert abs(float(likeness[~met, 2].mean())) < 0.15


def test_cross_fitted_tokens_exist_for_the_pictures_in_use_alone(vocabulary: Vocabulary) -> None:
    looked, subject = _looked()
    scaling = projector.scaling_of(looked.features)
    use = subject < 4
    tokens = projector.cross_fitted(looked, scaling, SUBJECTS, _sights(vocabulary).codes, SHOWN, use, seed=0, epochs=1)
    assert np.allclose(np.linalg.norm(tokens[use], axis=1), 1, atol=1e-4)
    assert not tokens[~use].any()


def test_no_token_of_an_unfamiliar_thing_points_at_its_name(vocabulary: Vocabulary) -> None:
    looked, subject = _looked()
    scaling, codes = projector.scaling_of(looked.features), _sights(vocabulary).codes
    use = subject != 2
    tokens = projector.unfamiliar(looked, scaling, SUBJECTS, codes, use, seed=0, epochs=6)
    assert np.allclose(np.linalg.norm(tokens, axis=1), 1, atol=1e-4), "what may not be learned from is looked at too"
    likeness = (tokens * codes[subject]).sum(axis=1)
    assert max(abs(float(likeness[subject == one].mean())) for one in range(6)) < 0.2


def test_an_unfamiliar_picture_is_never_seen_by_an_eye_that_knows_it(vocabulary: Vocabulary) -> None:
    sights, seen = _sights(vocabulary), set()
    for number in range(40):
        stream = named_stream(number, "draw")
        views = sights.draw(1, SUBJECTS[1], stream, is_unfamiliar=True)
        seen.add(round(float(views[SHOWN] @ sights.codes[1]), 1))
    assert seen == {-1.0}
    unknown = replace(sights, rows={})
    likeness = [
        unknown.draw(1, SUBJECTS[1], named_stream(number, "draw"), is_unfamiliar=True)[SHOWN] @ sights.codes[1]
        for number in range(200)
    ]
    assert abs(float(np.mean(likeness))) < 0.1, "without pictures it is noise, not a weaker code"


def test_shipped_decoders_hold_numbers_alone() -> None:
    from forgetscope.models.glimpse.storage import weights_folder

    for path in weights_folder().glob("*-*.safetensors"):
        assert all(np.isfinite(tensor.astype(np.float64)).all() for tensor in load_tensors(path).values())
