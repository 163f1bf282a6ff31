"""Rebuild the embedded drawings from the icon sets they were taken from.

    npm install --ignore-scripts --prefix DIR emojibase-data @iconify-json/{twemoji,emojione,fxemoji,fluent-emoji-flat}
    npm install --ignore-scripts --prefix DIR @iconify-json/{logos,devicon}
    python tools/build_embedded_pictures.py DIR/node_modules

With --training FILE all styles the embedded model was trained on are written too, as one file for `training`:
noto, noto-v1, streamline-emojis, skill-icons and simple-icons are needed then. The once-only style is never in it.
"""

import argparse
import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from forgetscope.benchmarks.visual.embedded.sheets import COLUMNS, TILE, Kind, TileRow, pictures_folder
from forgetscope.benchmarks.visual.embedded.truths import BEHAVIOURS
from forgetscope.core.errors import DataError
from forgetscope.models.glimpse.family import TRAINING_STYLES

sys.path.insert(0, str(Path(__file__).parents[1]))

from tools.icon_sets import (
    DEVELOPMENT_STYLE,
    ONCE_ONLY_STYLE,
    TRAINING_BRAND_STYLES,
    IconSet,
    open_set,
    rasterise,
    read_concepts,
    squeeze,
)

SHIPPED_EMOJI = ("twemoji", "fxemoji", DEVELOPMENT_STYLE, ONCE_ONLY_STYLE)
SHIPPED_BRANDS = ("devicon", "logos")

_FIELDS = ("style", "tile", "kind", "name", "supercategory", "label")

BRANDS: dict[str, dict[str, str]] = {
    "language": {
        "Python": "python", "Java": "java", "Rust": "rust", "Ruby": "ruby", "Swift": "swift",
        "Kotlin": "kotlin", "Haskell": "haskell", "Elixir": "elixir", "Julia": "julia", "Dart": "dart",
        "Scala": "scala", "Perl": "perl", "Lua": "lua", "Clojure": "clojure", "Elm": "elm",
    },
    "database": {
        "MySQL": "mysql", "PostgreSQL": "postgresql", "MongoDB": "mongodb", "Redis": "redis", "SQLite": "sqlite",
        "InfluxDB": "influxdb", "Couchbase": "couchbase", "Elasticsearch": "elasticsearch",
    },
    "web": {
        "React": "react", "Angular": "angular", "Svelte": "svelte", "Laravel": "laravel", "Bootstrap": "bootstrap",
        "Gatsby": "gatsby", "WordPress": "wordpress", "Drupal": "drupal", "Electron": "electron",
        "Flutter": "flutter", "Symfony": "symfony", "Ionic": "ionic",
    },
    "system": {
        "Debian": "debian", "Ubuntu": "ubuntu", "Fedora": "fedora", "CentOS": "centos", "Arch Linux": "archlinux",
        "Red Hat": "redhat", "Apple": "apple", "Raspberry Pi": "raspberrypi",
    },
    "service": {
        "GitHub": "github", "GitLab": "gitlab", "Bitbucket": "bitbucket", "Docker": "docker",
        "Kubernetes": "kubernetes", "Heroku": "heroku", "Netlify": "netlify", "Slack": "slack", "Spotify": "spotify",
        "Facebook": "facebook", "Instagram": "instagram", "LinkedIn": "linkedin", "Trello": "trello",
        "Figma": "figma", "Firebase": "firebase", "Grafana": "grafana", "Jenkins": "jenkins", "Discord": "discord",
    },
    "program": {
        "Firefox": "firefox", "Opera": "opera", "Safari": "safari", "Blender": "blender", "Unity": "unity",
        "Godot": "godot", "Postman": "postman", "Atom": "atom", "Vim": "vim", "Emacs": "emacs",
    },
}  # fmt: skip
"""Brands by what they are, with how the icon sets call them. Trademarks of their owners, shown to name them."""

Found = tuple[TileRow, Image.Image]


def emoji_drawings(packages: Path, style: str) -> Iterator[Found]:
    """Objects and behaviours of one emoji set."""
    icons = open_set(packages, style)
    for concept in read_concepts(packages):
        for image in _images(icons, icons.find(concept)):
            yield TileRow(style, 0, Kind.OBJECT, concept.label, concept.supercategory, concept.label), image
    people = {concept.label: concept for concept in read_concepts(packages, is_of_people=True)}
    for name, labels in BEHAVIOURS.items():
        for label in labels:
            for image in _images(icons, icons.find(people[label])):
                yield TileRow(style, 0, Kind.BEHAVIOUR, name, "behaviour", label), image


def brand_drawings(packages: Path, style: str) -> Iterator[Found]:
    """Symbols of one brand set, wordmarks left out."""
    icons = open_set(packages, style)
    for supercategory, brands in BRANDS.items():
        for name, key in brands.items():
            for icon in icons.find_brand(key)[:1]:
                for image in _images(icons, [icon]):
                    yield TileRow(style, 0, Kind.BRAND, name, supercategory, icon), image


def _images(icons: IconSet, names: list[str]) -> Iterator[Image.Image]:
    for name in names:
        try:
            yield Image.fromarray(rasterise(icons.svg(name)))
        except DataError as error:
            print(f"left out {icons.name}/{squeeze(name)}: {error}")


def gather(packages: Path, style: str) -> list[Found]:
    """All drawings of a style, numbered."""
    is_brand = style in (*SHIPPED_BRANDS, *TRAINING_BRAND_STYLES)
    found = list(brand_drawings(packages, style) if is_brand else emoji_drawings(packages, style))
    return [
        (TileRow(row.style, number, row.kind, row.name, row.supercategory, row.label), image)
        for number, (row, image) in enumerate(found)
    ]


def write_sheet(drawings: list[Image.Image], path: Path) -> None:
    """Write drawings (96 x 96, RGBA) as one sheet, in order."""
    sheet = Image.new("RGBA", (COLUMNS * TILE, max(1, -(-len(drawings) // COLUMNS)) * TILE))
    for number, image in enumerate(drawings):
        sheet.paste(image, (number % COLUMNS * TILE, number // COLUMNS * TILE))
    sheet.save(path, "WEBP", quality=82, method=6)


def write_table(rows: Iterable[TileRow], path: Path) -> None:
    """Write the table of tiles."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(_FIELDS)
        for row in rows:
            writer.writerow((row.style, row.tile, row.kind.value, row.name, row.supercategory, row.label))


def build(packages: Path, folder: Path, styles: tuple[str, ...]) -> None:
    """Write the sheets of the given styles and the table of all shipped ones."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for style in styles:
        found = gather(packages, style)
        write_sheet([image for _, image in found], folder / f"{style}.webp")
        rows += [row for row, _ in found]
        print(f"{style}: {len(found)} drawings, {(folder / f'{style}.webp').stat().st_size / 1e6:.2f} MB")
    write_table(rows, folder / "drawings.csv")


def build_training_file(packages: Path, path: Path) -> None:
    """All drawings that training and development may see, as arrays: pixels and one text line each."""
    styles = (*TRAINING_STYLES, DEVELOPMENT_STYLE, *TRAINING_BRAND_STYLES, "logos")
    found = [pair for style in styles for pair in gather(packages, style)]
    lines = ["\t".join((row.style, row.kind.value, row.name, row.supercategory, row.label)) for row, _ in found]
    np.savez_compressed(path, pixels=np.stack([np.asarray(image) for _, image in found]), lines=np.array(lines))
    print(f"{path}: {len(found)} drawings")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", type=Path, help="the node_modules folder with the data packages")
    parser.add_argument("--out", type=Path, default=pictures_folder())
    parser.add_argument("--styles", nargs="*", default=[*SHIPPED_EMOJI, *SHIPPED_BRANDS])
    parser.add_argument("--training", type=Path, help="write all training styles to this .npz instead")
    arguments = parser.parse_args()
    if arguments.training:
        build_training_file(arguments.packages, arguments.training)
    else:
        build(arguments.packages, arguments.out, tuple(arguments.styles))


if __name__ == "__main__":
    main()
