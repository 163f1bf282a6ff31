"""The decoder in torch, for training. `network` is the same arithmetic without torch, for use; a test compares them.

A prefix decoder: visual tokens and prompt see one another, the next token is read at the last position. Every new token
of a reply joins the prompt. Replies are a digit or a name, so nothing is cached.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from forgetscope.models.glimpse.shape import CLUE_GAIN, DecoderShape, head_biases
from forgetscope.models.glimpse.vocabulary import IDENTITY, MEANING


class Attention(nn.Module):
    """One head looks back, one looks ahead, both mostly nearby; the others match content and never see themselves."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        width = shape.width
        self.heads, self.norm = shape.heads, nn.LayerNorm(width)
        self.mix, self.out = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
        with torch.no_grad():
            self.mix.weight[:width] *= 1.6
            self.mix.weight[width : 2 * width] = self.mix.weight[:width]

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """(batch, length, width) to the same; `bias` (batch, heads, length, length) is added to the attention."""
        batch, length, width = x.shape
        mixed = self.mix(self.norm(x)).view(batch, length, 3, self.heads, width // self.heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        joined: Tensor = self.out(seen.transpose(1, 2).reshape(batch, length, width))
        return joined


class DecoderBlock(nn.Module):
    """Attention and a two-layer network, each added to what came in."""

    def __init__(self, shape: DecoderShape) -> None:
        super().__init__()
        self.attention = Attention(shape)
        self.norm = nn.LayerNorm(shape.width)
        self.up, self.down = nn.Linear(shape.width, shape.inner), nn.Linear(shape.inner, shape.width)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """(batch, length, width) to the same."""
        x = x + self.attention(x, bias)
        inside: Tensor = self.down(functional.gelu(self.up(self.norm(x)), approximate="tanh"))
        return x + inside


class Decoder(nn.Module):
    """Visual tokens and a prompt to the next token.

    Args:
        shape: Its measures.
        table: Meaning and identity of every token, (vocabulary, MEANING + IDENTITY); not trained.
    """

    table: Tensor
    directions: Tensor

    def __init__(self, shape: DecoderShape, table: Tensor) -> None:
        super().__init__()
        self.shape = shape
        self.register_buffer("table", table, persistent=False)
        self.register_buffer("directions", functional.normalize(table, dim=1), persistent=False)
        self.meaning = nn.Linear(MEANING, shape.width, bias=False)
        self.identity = nn.Linear(IDENTITY, shape.width, bias=False)
        self.clue = nn.Linear(shape.views + 2, shape.width, bias=False)
        self.view = nn.Parameter(torch.randn(shape.views, shape.width) * 0.3)
        self.blocks = nn.ModuleList([DecoderBlock(shape) for _ in range(shape.layers)])
        self.norm = nn.LayerNorm(shape.width)
        self.out = nn.Linear(shape.width, MEANING + IDENTITY)
        self.say_seen = nn.Linear(shape.width, shape.views)
        self.sharpness = nn.Parameter(torch.tensor(2.0))
        self.judge = nn.Linear(shape.width, 2)
        with torch.no_grad():
            self.meaning.weight.mul_(4)
            self.identity.weight.mul_(6)
            self.clue.weight.mul_(3)

    def forward(self, tokens: Tensor, mask: Tensor, views: Tensor, echo: Tensor) -> tuple[Tensor, Tensor]:
        """States after the last block, and after the block before it where training asks about each option.

        Args:
            tokens: (batch, length), padded at the end with anything.
            mask: (batch, length), true where there is a token.
            views: (batch, views, IDENTITY); zeros where there is no picture.
            echo: (batch, length, 2): whether the word stands elsewhere before, and after.
        """
        rows = self.table[tokens]
        codes = rows[..., MEANING:]
        clues = torch.cat([CLUE_GAIN * codes @ views.transpose(1, 2), echo], dim=2)
        text = self.meaning(rows[..., :MEANING]) + self.identity(codes) + self.clue(clues)
        x = torch.cat([self.identity(views) + self.view, text], dim=1)
        count = views.shape[1]
        whole = torch.cat([torch.ones(len(tokens), count, dtype=torch.bool), mask], dim=1)
        bias = torch.from_numpy(head_biases(self.shape.heads, x.shape[1])).masked_fill(~whole[:, None, None, :], -1e9)
        middle = x
        for number, block in enumerate(self.blocks):
            x = block(x, bias)
            if number == len(self.blocks) - 2:
                middle = x
        return x[:, count:], middle[:, count:]

    def logits(self, states: Tensor, views: Tensor) -> Tensor:
        """Scores of all tokens from states (n, width) and what is seen (n, views, IDENTITY): (n, vocabulary)."""
        settled = self.norm(states)
        wanted = functional.normalize(self.out(settled), dim=1)
        said = self.sharpness.exp() * (wanted @ self.directions.T)
        seen = torch.einsum("nv,nvi->ni", self.say_seen(settled), views)
        return said + CLUE_GAIN * seen @ self.table[:, MEANING:].T
