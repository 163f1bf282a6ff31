"""Names and arguments, as a user types them after --model and -M."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from inspect_ai.model import ContentReasoning, ContentText, GenerateConfig, ModelAPI, get_model
from inspect_ai.model._providers.mockllm import MockLLM

from forgetscope.core.errors import DataError, SettingError, UnknownNameError
from forgetscope.models import provider
from forgetscope.models.local import content_of, parse_args


def test_an_unknown_model_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownNameError, match=r"found 'forgetscope/gpt-9'; allowed: forgetscope/gguf, .*smollm2"):
        get_model("forgetscope/gpt-9")


def test_a_prefix_answers_for_everything_under_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provider, "_factories", dict(provider._factories))
    seen: list[tuple[str, Mapping[str, object]]] = []

    def build(name: str, config: GenerateConfig, args: Mapping[str, object]) -> ModelAPI:
        seen.append((name, args))
        return MockLLM(name, config=config)

    provider.register_model("family/", build, "a test's own")
    model = get_model("forgetscope/family/member", memoize=False, latency=0.5)
    assert str(model) == "forgetscope/family/member"
    assert seen == [("family/member", {"latency": 0.5})]
    assert provider.known_models()["forgetscope/family/*"] == "a test's own"


@pytest.mark.parametrize("model", ["smollm2", "gguf"])
def test_a_model_argument_nobody_knows_is_refused_with_those_there_are(model: str) -> None:
    with pytest.raises(SettingError, match=rf"-M of forgetscope/{model}: model argument temprature: .*cache_gb"):
        get_model(f"forgetscope/{model}", temprature=1)


def test_a_value_that_is_no_number_is_refused() -> None:
    with pytest.raises(SettingError, match=r"model argument cache_gb: .*found 'lots'"):
        parse_args("smollm2", {"cache_gb": "lots"})


def test_numbers_typed_as_text_are_read() -> None:
    args = parse_args("smollm2", {"cache_gb": "3", "repetition_penalty": "1.1", "prefix_caching": "false"})
    assert (args.cache_gb, args.repetition_penalty, args.prefix_caching) == (3, 1.1, False)


def test_the_ngram_block_is_refused_because_the_pipeline_would_ignore_it() -> None:
    with pytest.raises(SettingError, match=r"ignores it .*; next: use Inspect's --frequency-penalty"):
        parse_args("smollm2", {"no_repeat_ngram_size": 4})


def test_gguf_needs_a_path() -> None:
    with pytest.raises(SettingError, match="the path of the weights is missing; next: -M model_path="):
        get_model("forgetscope/gguf")


def test_gguf_checks_the_file_at_once(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such model file"):
        get_model("forgetscope/gguf", model_path=str(tmp_path / "none.gguf"))


def test_smollm2_takes_no_other_weights(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"brings its own weights.*next: --model forgetscope/gguf"):
        get_model("forgetscope/smollm2", model_path=str(tmp_path))


def test_a_model_in_this_process_takes_no_base_url() -> None:
    with pytest.raises(SettingError, match="take no base URL and no key"):
        get_model("forgetscope/smollm2", base_url="http://localhost:1")


def test_reasoning_is_split_from_the_answer() -> None:
    assert content_of("<think>\nhm\n</think>\n\nYes") == [
        ContentReasoning(reasoning="hm"),
        ContentText(text="Yes"),
    ]


def test_reasoning_without_an_end_leaves_no_answer() -> None:
    assert content_of("<think>hm hm") == [ContentReasoning(reasoning="hm hm"), ContentText(text="")]


def test_a_reply_that_only_speaks_of_the_tag_is_all_answer() -> None:
    assert content_of("Use <think> and </think>.") == "Use <think> and </think>."
