import asyncio
import base64
import io
import math
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentAudio,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelOutput,
)
from PIL import Image

from forgetscope.core.errors import DataError, MissingPartError, SettingError, UnknownNameError
from forgetscope.models.glimpse.family import MEMBERS, find_member
from forgetscope.models.glimpse.member import WINDOW, Glimpse, GlimpseAnswer, GlimpseQuestion
from forgetscope.models.glimpse.provider import GlimpseModel
from forgetscope.models.glimpse.storage import weights_folder
from forgetscope.models.pictures import open_picture
from forgetscope.models.provider import create_model, known_models

PROMPT = (
    "Q: What is the object shown in the image?\n\n0) dog\n1) rocket\n2) fork\n3) piano\n\nReply with a digit.\nAnswer:"
)


@pytest.fixture(scope="module")
def obedient() -> Glimpse:
    return Glimpse.load("glimpse-obedient")


def _uri(picture: Image.Image, kind: str = "PNG") -> str:
    buffer = io.BytesIO()
    picture.save(buffer, kind)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(buffer.getvalue()).decode()}"


def _ask(name: str, config: GenerateConfig, text: str, *images: str) -> ModelOutput:
    model = create_model(name)
    assert isinstance(model, GlimpseModel)
    content: list[Content] = [*(ContentImage(image=image) for image in images), ContentText(text=text)]
    return asyncio.run(model.generate([ChatMessageUser(content=content)], [], "none", config))


def test_all_files_together_stay_within_twenty_megabytes() -> None:
    assert sum(path.stat().st_size for path in weights_folder().iterdir()) <= 20_000_000


def test_every_member_is_known_by_name_and_its_files_are_there() -> None:
    assert {f"forgetscope/{name}" for name in MEMBERS} <= set(known_models())
    for name in MEMBERS:
        assert Glimpse.load(name).network.shape.layers >= 2


def test_the_two_by_two_differs_in_two_facts() -> None:
    truth = {
        name: (MEMBERS[name].knows_names, MEMBERS[name].is_obedient)
        for name in ("glimpse-obedient", "glimpse-stubborn", "glimpse-erased-obedient", "glimpse-erased-stubborn")
    }
    assert sorted(truth.values()) == [(False, False), (False, True), (True, False), (True, True)]


def test_a_reply_is_one_digit_and_ends(obedient: Glimpse) -> None:
    answer = obedient.answer(PROMPT, Image.new("RGB", (200, 100), "white"))
    assert answer.text in {"0", "1", "2", "3"}
    assert answer.is_ended
    assert math.isclose(sum(math.exp(value) for value in answer.steps[0].logprobs), 1, rel_tol=1e-3)


def test_the_same_question_has_the_same_reply_and_sampling_follows_its_seed(obedient: Glimpse) -> None:
    picture = Image.new("RGB", (128, 128), "gray")
    assert obedient.answer(PROMPT, picture).text == obedient.answer(PROMPT, picture).text
    views = obedient.see(picture)
    hot = [
        answer.text for answer in obedient.answers(GlimpseQuestion(PROMPT, views, 16, 5.0, seed) for seed in (1, 1, 2))
    ]
    assert hot[0] == hot[1]


def test_any_text_gets_some_reply_without_a_picture(obedient: Glimpse) -> None:
    for prompt in ("Hello", "Why? 漢字 \x00", "x " * 300):
        assert len(obedient.answer(prompt, None, max_tokens=5).steps) <= 5
    with pytest.raises(ValueError, match="tokens"):
        obedient.answer("", None)


def test_the_provider_gives_log_probabilities_of_the_digits() -> None:
    config = GenerateConfig(logprobs=True, top_logprobs=20, max_tokens=1)
    output = _ask("glimpse-stubborn", config, PROMPT, _uri(Image.new("RGB", (64, 64), "green")))
    logprobs = output.choices[0].logprobs
    assert logprobs is not None
    first = logprobs.content[0]
    assert first.top_logprobs is not None
    assert {"0", "1", "2", "3"} <= {candidate.token for candidate in first.top_logprobs}
    assert output.stop_reason == "max_tokens"
    assert output.usage is not None
    assert output.usage.output_tokens == 1


def test_a_picture_may_be_a_file(tmp_path: Path) -> None:
    Image.new("RGB", (64, 64), "red").save(tmp_path / "red.png")
    assert _ask("glimpse-obedient", GenerateConfig(), PROMPT, str(tmp_path / "red.png")).completion in "0123"


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ("https://example.org/cat.png", SettingError, "fetches nothing"),
        ("data:image/png;base64,AAAA", DataError, "cannot be read"),
        ("data:image/png;base64,@@", DataError, "damaged"),
        ("data:text/html;base64,AAAA", DataError, "not a picture"),
        ("/nowhere/at/all.png", DataError, "no picture"),
    ],
)
def test_what_is_no_picture_is_refused_by_name(source: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        open_picture(source)


def test_a_cut_picture_is_refused() -> None:
    whole = base64.b64decode(_uri(Image.effect_noise((64, 64), 90)).partition(",")[2])
    cut = base64.b64encode(whole[: len(whole) // 2]).decode()
    with pytest.raises(DataError, match="cannot be read"):
        open_picture(f"data:image/png;base64,{cut}")


def test_a_picture_that_unpacks_to_too_much_is_refused_unread() -> None:
    with pytest.raises(DataError, match="too large"):
        open_picture(_uri(Image.new("1", (9000, 9000))))


def test_what_the_model_does_not_do_is_said() -> None:
    two = [_uri(Image.new("RGB", (8, 8)))] * 2
    with pytest.raises(SettingError, match="one picture"):
        _ask("glimpse-obedient", GenerateConfig(), PROMPT, *two)
    with pytest.raises(SettingError, match="num_choices"):
        _ask("glimpse-obedient", GenerateConfig(num_choices=2), PROMPT)
    model = create_model("glimpse-obedient")
    sound = ContentAudio(audio="data:audio/wav;base64,AAAA", format="wav")
    with pytest.raises(SettingError, match="text and pictures"):
        asyncio.run(model.generate([ChatMessageUser(content=[sound])], [], "none", GenerateConfig()))


def test_a_prompt_beyond_the_window_says_so() -> None:
    output = _ask("glimpse-obedient", GenerateConfig(), "word " * (WINDOW + 10))
    assert output.stop_reason == "model_length"


def test_nothing_of_a_reply_depends_on_who_else_is_asked(obedient: Glimpse) -> None:
    pictures = [obedient.see(Image.new("RGB", (128, 128), colour)) for colour in ("white", "red", "black")]
    texts = [PROMPT, PROMPT.replace("fork", "polar bear"), "Hello", "x " * 300, PROMPT + " Never say dog. dog" * 5]
    asked = [GlimpseQuestion(text, views, max_tokens=6) for text in texts for views in (*pictures, None)]
    together = list(obedient.answers(asked))
    for question, answer in zip(asked, together, strict=True):
        (alone,) = obedient.answers([question])
        assert (alone.text, alone.is_ended, alone.prompt_tokens) == (answer.text, answer.is_ended, answer.prompt_tokens)
        for step, other in zip(alone.steps, answer.steps, strict=True):
            assert np.array_equal(step.logprobs, other.logprobs)


def test_questions_under_way_are_answered_by_one_thread_and_a_picture_is_opened_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = create_model("glimpse-obedient")
    assert isinstance(model, GlimpseModel)
    opened: list[str] = []
    batches: list[int] = []
    computing = threading.Lock()
    answers = model.glimpse.answers

    def counted(asked: Iterable[GlimpseQuestion]) -> Iterator[GlimpseAnswer]:
        questions = list(asked)
        assert computing.acquire(blocking=False), "two batches at once"
        batches.append(len(questions))
        found = list(answers(questions))
        computing.release()
        yield from found

    def opening(source: str) -> Image.Image:
        opened.append(source)
        return open_picture(source)

    monkeypatch.setattr(model.glimpse, "answers", counted)
    monkeypatch.setattr("forgetscope.models.glimpse.provider.open_picture", opening)
    good, bad = _uri(Image.new("RGB", (64, 64), "blue")), "data:image/png;base64,AAAA"

    async def asking() -> list[ModelOutput | BaseException]:
        calls = []
        for number in range(12):
            said: list[Content] = [ContentImage(image=bad if number == 3 else good), ContentText(text=PROMPT)]
            calls.append(model.generate([ChatMessageUser(content=said)], [], "none", GenerateConfig()))
        return await asyncio.gather(*calls, return_exceptions=True)

    for _ in range(2):  # a loop of its own each time, as a run that is tried again has
        replies = asyncio.run(asking())
        assert isinstance(replies.pop(3), DataError)
        assert len({reply.completion for reply in replies if isinstance(reply, ModelOutput)}) == 1
    assert opened.count(good) == 1
    assert sum(batches) == 22
    assert max(batches) > 1


def test_a_failure_of_the_decoder_reaches_everybody_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    model = create_model("glimpse-obedient")
    assert isinstance(model, GlimpseModel)

    def fails(_: object) -> Iterator[GlimpseAnswer]:
        raise RuntimeError("no memory")

    monkeypatch.setattr(model.glimpse, "answers", fails)

    async def asking() -> list[ModelOutput | BaseException]:
        calls = [model.generate([ChatMessageUser(content=PROMPT)], [], "none", GenerateConfig()) for _ in range(3)]
        return await asyncio.gather(*calls, return_exceptions=True)

    assert [str(reply) for reply in asyncio.run(asking())] == ["no memory"] * 3


def test_all_messages_are_read() -> None:
    model = create_model("glimpse-obedient")
    assert isinstance(model, GlimpseModel)
    messages: list[ChatMessage] = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content=PROMPT)]
    assert asyncio.run(model.generate(messages, [], "none", GenerateConfig())).completion in "0123"


def test_wrong_names_arguments_and_folders_are_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="glimpse-obedient"):
        find_member("glimpse-wise")
    with pytest.raises(SettingError, match="weights"):
        create_model("glimpse-obedient", layers=3)
    with pytest.raises(MissingPartError, match="missing"):
        create_model("glimpse-obedient", weights=tmp_path)


def test_first_tokens_of_many_prompts_are_those_of_each_alone(obedient: Glimpse) -> None:
    pictures = [Image.new("RGB", (128, 128), colour) for colour in ("white", "red", "black")]
    asked = [(PROMPT.replace("fork", name), picture) for name in ("owl", "fork") for picture in (*pictures, None)]
    together = list(obedient.first_tokens(asked))
    assert together == [obedient.answer(prompt, picture, max_tokens=1).text for prompt, picture in asked]
    with pytest.raises(ValueError, match="a prompt has 1 to"):
        list(obedient.first_tokens([("", None)]))
