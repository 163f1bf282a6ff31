"""A LLaVA of 30 thousand random weights, written to a folder: the real classes; what it says means nothing."""

from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for message in messages %}{{ message.role }}: {% for part in message.content %}"
    "{% if part.type == 'image' %}<image>\n{% else %}{{ part.text }}{% endif %}{% endfor %}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
PATCH, EDGE = 8, 32


def write_tiny_llava(folder: Path, seed: int = 0) -> Path:
    """The model, its tokenizer (single letters) and its processor, as `save_pretrained` lays them out."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    library: Any = transformers  # its classes are untyped

    letters = [chr(code) for code in range(33, 127)] + [
        "\u0120",
        "\u010a",
    ]  # a blank and a line's end, as bytes are written
    special = ["<pad>", "<s>", "</s>", "<image>"]
    single = Tokenizer(models.BPE({token: place for place, token in enumerate([*special, *letters])}, []))
    single.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    single.decoder = decoders.ByteLevel()
    tokenizer = library.PreTrainedTokenizerFast(
        tokenizer_object=single,
        **dict(zip(("pad_token", "bos_token", "eos_token"), special, strict=False)),
        additional_special_tokens=["<image>"],
    )
    torch.manual_seed(seed)
    vision = library.CLIPVisionConfig(
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        image_size=EDGE,
        patch_size=PATCH,
    )
    text = library.LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        bos_token_id=1, eos_token_id=2, pad_token_id=0,
    )  # fmt: skip
    model = library.LlavaForConditionalGeneration(
        library.LlavaConfig(vision_config=vision, text_config=text, image_token_index=3, vision_feature_layer=-1)
    )
    digits = tokenizer.convert_tokens_to_ids(list("0123"))
    with torch.no_grad():
        rows = model.lm_head.weight[digits[:2]] * 20
        model.lm_head.weight[digits] = torch.cat([rows, -rows])  # two of the four are large: the model likes digits
    model.generation_config.eos_token_id, model.generation_config.pad_token_id = 2, 0
    model.save_pretrained(folder)
    pictures = library.CLIPImageProcessor(size={"shortest_edge": EDGE}, crop_size={"height": EDGE, "width": EDGE})
    library.LlavaProcessor(
        image_processor=pictures,
        tokenizer=tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE,
    ).save_pretrained(folder)
    return folder
