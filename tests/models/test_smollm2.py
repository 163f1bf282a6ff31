"""The real pipeline on real weights."""

import asyncio
import json
import time
from collections.abc import Sequence
from concurrent.futures import wait

import jinja2
import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    ContentImage,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.util import JSONSchema

from forgetscope.core.errors import SettingError
from forgetscope.models.backend import ContextOverflowError, EngineError, GenerationFinish
from forgetscope.models.decoding import Decoding
from forgetscope.models.engine import Engine
from forgetscope.models.local import LocalModel
from forgetscope.models.weights import find_smollm2, read_header

pytestmark = [
    pytest.mark.real_model,
    # Inspect 0.3.285 calls tenacity the old way at every generate.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
]

SYSTEM = {"role": "system", "content": "You are a helpful assistant."}
CONVERSATIONS: list[list[dict[str, str]]] = [
    [{"role": "user", "content": "Hello"}],
    [SYSTEM, {"role": "user", "content": "Hello"}],
    [{"role": "system", "content": ""}, {"role": "user", "content": "Hello"}],
    [
        SYSTEM,
        {"role": "user", "content": "A?"},
        {"role": "assistant", "content": "B."},
        {"role": "user", "content": "C?"},
    ],
    [{"role": "user", "content": "A?"}, {"role": "assistant", "content": "B."}, {"role": "user", "content": "C?"}],
    [
        SYSTEM,
        {"role": "user", "content": "  spaces\n\nlines \t and {{ braces }} {% raw %} <b>&amp;</b> \"quotes\" 'too' "},
    ],
    [SYSTEM, {"role": "user", "content": "Grüße, 你好, 🎉, \u202eabc\u202c, \\n, \x00"}],
]


def rendered(engine: Engine, user: str) -> str:
    return engine.load().render([SYSTEM, {"role": "user", "content": user}])


def ask(model: Model, messages: str | Sequence[ChatMessage], config: GenerateConfig) -> ModelOutput:
    return asyncio.run(model.generate(messages if isinstance(messages, str) else list(messages), config=config))


@pytest.fixture
def model(smollm2_engine: Engine) -> Model:
    model = get_model("forgetscope/smollm2")
    assert isinstance(model.api, LocalModel)
    assert model.api.engine is smollm2_engine, "every instance must share the session's engine"
    return model


@pytest.mark.parametrize("conversation", CONVERSATIONS)
def test_a_conversation_is_rendered_byte_for_byte_as_the_models_own_template_says(
    smollm2_engine: Engine, conversation: list[dict[str, str]]
) -> None:
    template = read_header(find_smollm2()).chat_template
    assert template is not None
    environment = jinja2.Environment(autoescape=False, trim_blocks=True, lstrip_blocks=True)  # noqa: S701 - no HTML
    expected = environment.from_string(template).render(messages=conversation, add_generation_prompt=True)
    assert smollm2_engine.load().render(conversation).encode() == expected.encode()


def test_without_a_system_message_the_template_inserts_the_models_own(smollm2_engine: Engine) -> None:
    text = smollm2_engine.load().render([{"role": "user", "content": "Hello"}])
    assert "You are a helpful AI assistant named SmolLM" in text


def test_no_token_is_put_before_the_template(smollm2_engine: Engine) -> None:
    backend = smollm2_engine.load()
    ids = list(backend.encode(rendered(smollm2_engine, "Hello")))
    assert ids[0] == 1
    assert ids[1] != 1
    assert backend.decode_each(ids[:1]) == ["<|im_start|>"]


def test_greedy_text_is_the_same_twice_one_at_a_time(smollm2_engine: Engine) -> None:
    prompt = rendered(smollm2_engine, "Name three rivers in Europe.")
    first, second = (smollm2_engine.submit(prompt, Decoding(max_new_tokens=40)).result(60) for _ in range(2))
    assert first.text == second.text
    assert len(first.text) > 20


def test_many_requests_share_the_batch(smollm2_engine: Engine) -> None:
    futures = [
        smollm2_engine.submit(rendered(smollm2_engine, f"Count from {n}."), Decoding(max_new_tokens=16))
        for n in range(12)
    ]
    replies = [future.result(60) for future in futures]
    assert all(reply.text for reply in replies)
    assert smollm2_engine.counts().peak_live >= 8
    assert smollm2_engine.counts().live == 0


def test_a_cancelled_request_frees_its_place(smollm2_engine: Engine) -> None:
    before = smollm2_engine.counts()
    endless = smollm2_engine.submit(rendered(smollm2_engine, "Write a very long story."), Decoding(max_new_tokens=4000))
    while not smollm2_engine.counts().live:
        time.sleep(0.01)
    endless.cancel()
    wait([smollm2_engine.submit(rendered(smollm2_engine, "Hi"), Decoding(max_new_tokens=2))], 30)
    after = smollm2_engine.counts()
    assert (after.live, after.cancelled - before.cancelled) == (0, 1)
    time.sleep(0.3)
    assert smollm2_engine.counts().steps - after.steps <= 1, "the engine must rest when nobody waits"


def test_a_schema_the_grammar_compiler_rejects_fails_alone(smollm2_engine: Engine) -> None:
    good = [
        smollm2_engine.submit(rendered(smollm2_engine, f"Say {word}."), Decoding(max_new_tokens=24))
        for word in ("one", "two", "three")
    ]
    bad = smollm2_engine.submit(rendered(smollm2_engine, "JSON."), Decoding(json_schema='{"type": 3}'))
    late = smollm2_engine.submit(rendered(smollm2_engine, "Say four."), Decoding(max_new_tokens=24))
    with pytest.raises(EngineError, match="failed at this request"):
        bad.result(60)
    assert all(future.result(60).text for future in (*good, late))


def test_a_prompt_longer_than_the_window_is_never_cut_in_silence(smollm2_engine: Engine) -> None:
    with pytest.raises(ContextOverflowError, match="window is 8192"):
        smollm2_engine.submit("river " * 9000, Decoding())


def test_a_schema_holds_the_reply(smollm2_engine: Engine) -> None:
    schema = json.dumps({"type": "object", "properties": {"n": {"enum": [1, 2]}}, "required": ["n"]})
    prompt = rendered(smollm2_engine, "Is it 1 or 2? Answer in JSON.")
    reply = smollm2_engine.submit(prompt, Decoding(max_new_tokens=60, json_schema=schema)).result(60)
    assert json.loads(reply.text)["n"] in (1, 2)


def test_through_inspect_a_reply_carries_usage_stop_reason_and_decoding(model: Model) -> None:
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=SYSTEM["content"]),
        ChatMessageUser(content="What is the capital of France?"),
    ]
    output = ask(model, messages, GenerateConfig(max_tokens=30))
    assert "Paris" in output.completion
    assert output.stop_reason == "stop"
    assert output.usage is not None
    assert (output.usage.input_tokens, output.usage.output_tokens, output.usage.total_tokens) == (27, 8, 35)
    assert output.metadata == {"decoding": "greedy", "decoding_as_published": True, "seed": None}


def test_through_inspect_a_cut_reply_says_max_tokens(model: Model) -> None:
    output = ask(model, "Tell me a long story.", GenerateConfig(max_tokens=5, logprobs=True))
    assert output.stop_reason == "max_tokens"
    assert output.usage is not None
    assert output.usage.output_tokens == 5
    assert output.choices[0].logprobs is not None
    logprobs = [item.logprob for item in output.choices[0].logprobs.content]
    assert len(logprobs) == 5
    assert all(value <= 0 for value in logprobs)


def test_through_inspect_a_prompt_over_the_window_ends_as_model_length(model: Model) -> None:
    output = ask(model, "river " * 9000, GenerateConfig(max_tokens=5))
    assert output.stop_reason == "model_length"
    assert output.completion == ""
    assert output.error is not None
    assert "window is 8192" in output.error


def test_one_at_a_time_and_from_the_cache_sampling_depends_on_the_seed_alone(model: Model) -> None:
    texts = [
        ask(model, "Tell me a joke.", GenerateConfig(max_tokens=16, temperature=1.0, seed=seed)).completion
        for seed in (3, 1, 1, 2)
    ][1:]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_through_inspect_a_penalty_is_visible_in_the_output(model: Model) -> None:
    penalised = get_model("forgetscope/smollm2", repetition_penalty=1.2)
    assert isinstance(penalised.api, LocalModel)
    assert isinstance(model.api, LocalModel)
    assert penalised.api.engine is model.api.engine, "a decoding option must not load the model again"
    config = GenerateConfig(max_tokens=60)
    output = ask(penalised, "Write a poem about rivers.", config)
    assert output.metadata is not None
    assert output.metadata["decoding"] == "greedy + repetition_penalty 1.2 (not the paper's)"
    assert penalised.api.decoding_label(config) == output.metadata["decoding"]
    assert output.completion != ask(model, "Write a poem about rivers.", config).completion


def test_through_inspect_stop_texts_end_the_reply_and_stay_out_of_it(model: Model) -> None:
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=SYSTEM["content"]),
        ChatMessageUser(content="What is the capital of France?"),
    ]
    output = ask(model, messages, GenerateConfig(max_tokens=30, stop_seqs=[" France"]))
    assert (output.completion, output.stop_reason) == ("The capital of", "stop")


def test_through_inspect_a_schema_is_enforced(model: Model) -> None:
    schema = JSONSchema(type="object", properties={"yes": JSONSchema(type="boolean")}, required=["yes"])
    config = GenerateConfig(max_tokens=40, response_schema=ResponseSchema(name="verdict", json_schema=schema))
    assert isinstance(json.loads(ask(model, "Is the sky blue? JSON.", config).completion)["yes"], bool)


def test_pictures_and_options_nobody_serves_are_refused(model: Model) -> None:
    picture = ContentImage(image="data:image/png;base64,iVBORw0KGgo=")
    with pytest.raises(SettingError, match="reads text alone; found 'image'"):
        ask(model, [ChatMessageUser(content=[picture])], GenerateConfig())
    with pytest.raises(SettingError, match="does not offer this option; found 'num_choices'"):
        ask(model, "Hi", GenerateConfig(num_choices=2))


def test_tokens_are_counted_in_the_models_own_vocabulary(model: Model) -> None:
    assert asyncio.run(model.api.count_text_tokens("The capital of France is Paris.")) == 7


def test_finish_reasons_are_the_two_the_engine_knows() -> None:
    assert {reason.value for reason in GenerationFinish} == {"stop", "length"}
