"""Drawings of one concept by several designers: the iconify sets, joined to emojibase's labels, rasterised.

A drawing is one designer's picture of one concept, transparent around it. The sets are data packages from npm; they are
read where `npm install --ignore-scripts` put them and never run. SVG is drawn by resvg, which executes nothing and is
given no folder to load from.
"""

import io
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from forgetscope.core.errors import DataError, MissingPartError

TRAINING_BRAND_STYLES = ("devicon", "skill-icons", "simple-icons")
DEVELOPMENT_STYLE = "emojione"
ONCE_ONLY_STYLE = "fluent-emoji-flat"
"""Opened once, for the validation that docs/design/visual-validation.md announces. Never in training or tuning."""

SKIPPED_GROUPS = frozenset({"smileys-emotion", "people-body", "component", "symbols", "flags"})
SKIPPED_SUBGROUPS = frozenset({"time"})

MISJOINED = frozenset({("emojione", "cricket")})
"""Style and label where an old set's icon of that name shows something else (the game, not the insect)."""

EDGE = 96
"""Pixels of a drawing's longer side."""


@dataclass(frozen=True)
class DrawnConcept:
    """One thing several designers have drawn.

    Attributes:
        label: emojibase's English label, such as ``polar bear``.
        supercategory: emojibase's subgroup, such as ``animal-mammal``.
        group: emojibase's group, such as ``animals-nature``.
        hexcode: Unicode code points without variation selectors, joined by ``-``, lower case.
    """

    label: str
    supercategory: str
    group: str
    hexcode: str

    @property
    def unicode_name(self) -> str:
        """The character's name in Unicode; the label for a sequence of several."""
        return self.label if "-" in self.hexcode else unicodedata.name(chr(int(self.hexcode, 16)), self.label)


@dataclass(frozen=True)
class IconSet:
    """One iconify set: the SVG bodies and how icons are called."""

    name: str
    icons: Mapping[str, Any]
    by_hexcode: Mapping[str, str]

    def find(self, concept: DrawnConcept) -> list[str]:
        """Names of this set's icons for a concept: by code point, else by label or Unicode name, numbered ones too."""
        if (self.name, concept.label) in MISJOINED:
            return []
        if concept.hexcode in self.by_hexcode:
            return [self.by_hexcode[concept.hexcode]]
        names = {squeeze(concept.label), squeeze(concept.unicode_name)}
        return [name for name in self._names() if squeeze(re.sub(r"-[1-9]$", "", name)) in names]

    def find_brand(self, key: str) -> list[str]:
        """Names of this set's symbols for a brand, the best first; lettering and oblong marks are left out."""
        tails = ["icon", "original", "", "plain", "dark", "light"]
        found = []
        for name in self._names():
            tail = next((tail for tail in tails if tail and name.endswith(f"-{tail}")), "")
            stem = name.removesuffix(f"-{tail}") if tail else name
            if "wordmark" not in name and squeeze(stem) == key and not self._is_oblong(name):
                found.append((tails.index(tail), name))
        return [name for _, name in sorted(found)]

    def _is_oblong(self, name: str) -> bool:
        icon = self.icons["icons"].get(name, {})
        width, height = (icon.get(side, self.icons.get(side, 16)) for side in ("width", "height"))
        return bool(max(width, height) > 1.4 * min(width, height))

    def _names(self) -> Iterator[str]:
        yield from self.icons["icons"]
        yield from self.icons.get("aliases", {})

    def svg(self, name: str) -> str:
        """The icon as a whole SVG document, scaled to `EDGE`."""
        for _ in range(5):
            if name in self.icons["icons"]:
                break
            name = self.icons["aliases"][name]["parent"]
        icon = self.icons["icons"][name]
        left, top = (icon.get(key, self.icons.get(key, 0)) for key in ("left", "top"))
        width, height = (icon.get(key, self.icons.get(key, 16)) for key in ("width", "height"))
        scale = EDGE / max(width, height)
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'width="{width * scale:g}" height="{height * scale:g}" viewBox="{left} {top} {width} {height}">'
            f"{icon['body']}</svg>"
        )


def squeeze(name: str) -> str:
    """A label or icon name without case and punctuation."""
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _plain_hexcode(hexcode: str) -> str:
    return "-".join(part for part in hexcode.lower().split("-") if part != "fe0f")


def open_set(packages: Path, name: str) -> IconSet:
    """One iconify set from the folder of npm packages.

    Raises:
        MissingPartError: The set is not there.
    """
    folder = packages / "@iconify-json" / name
    if not (folder / "icons.json").is_file():
        raise MissingPartError(
            "an icon set is missing", found=str(folder), next_step=f"npm install --ignore-scripts @iconify-json/{name}"
        )
    icons = json.loads((folder / "icons.json").read_text(encoding="utf-8"))
    chars = folder / "chars.json"
    by_hexcode = json.loads(chars.read_text(encoding="utf-8")) if chars.is_file() else {}
    return IconSet(name, icons, {_plain_hexcode(code): icon for code, icon in by_hexcode.items()})


def read_concepts(packages: Path, *, is_of_people: bool = False) -> list[DrawnConcept]:
    """emojibase's labelled emoji that show a thing, or those of people, in its order.

    Raises:
        MissingPartError: emojibase-data is not there.
    """
    folder = packages / "emojibase-data"
    if not folder.is_dir():
        raise MissingPartError("emojibase-data is missing", next_step="npm install --ignore-scripts emojibase-data")
    rows = json.loads((folder / "en" / "data.json").read_text(encoding="utf-8"))
    names = json.loads((folder / "meta" / "groups.json").read_text(encoding="utf-8"))
    concepts = []
    for row in rows:
        if row.get("group") is None:
            continue
        group, subgroup = names["groups"][str(row["group"])], names["subgroups"][str(row["subgroup"])]
        is_wanted = group == "people-body" if is_of_people else group not in SKIPPED_GROUPS
        if is_wanted and subgroup not in SKIPPED_SUBGROUPS:
            concepts.append(DrawnConcept(row["label"], subgroup, group, _plain_hexcode(row["hexcode"])))
    return concepts


def rasterise(svg: str) -> NDArray[np.uint8]:
    """An SVG as (EDGE, EDGE, 4) red, green, blue, alpha, centred.

    Raises:
        DataError: The SVG cannot be drawn, or nothing shows.
    """
    import resvg_py
    from PIL import Image

    try:
        drawn = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGBA")
    except ValueError as error:
        raise DataError(f"an icon cannot be drawn: {error}", found=svg[:80]) from error
    canvas = Image.new("RGBA", (EDGE, EDGE), (0, 0, 0, 0))
    canvas.paste(drawn, ((EDGE - drawn.width) // 2, (EDGE - drawn.height) // 2))
    pixels = np.asarray(canvas)
    if pixels[..., 3].max() < 32:
        raise DataError("an icon shows nothing", found=svg[:80])
    return pixels
