"""Ask an embedded visual model about real photographs, which it never met: the out-of-domain check.

    apt-get download tuxpaint-stamps-default && dpkg-deb -x tuxpaint-stamps-default_*.deb DIR
    python tools/measure_on_photographs.py DIR/usr/share/tuxpaint/stamps

The pictures are those stamps of Tux Paint (GPL-2, fetched by you, never shipped) that show a thing the model has a name
for and that a person took for photographs on a contact sheet; drawings, toys and near misses (a sea lion for a lion)
are left out. Items are the benchmark's: four choices, two of them from the concept's own supercategory.
"""

import argparse
from pathlib import Path

from PIL import Image

from forgetscope.benchmarks.visual.data import axes
from forgetscope.benchmarks.visual.data.records import Item, Picture
from forgetscope.benchmarks.visual.embedded.painting import NAME
from forgetscope.benchmarks.visual.embedded.source import EMOJI_STYLE, listing
from forgetscope.benchmarks.visual.prompts import choice_prompt
from forgetscope.benchmarks.visual.scoring.parsing import first_digit
from forgetscope.benchmarks.visual.sources.listing import ClassListing
from forgetscope.benchmarks.visual.splits.items import build_items
from forgetscope.benchmarks.visual.splits.split import balanced
from forgetscope.core.errors import MissingPartError
from forgetscope.models.glimpse.member import Glimpse
from forgetscope.stats import wilson

PHOTOGRAPHS = {
    "frog": ("animals/amphibians/frog-1", "animals/amphibians/frog"),
    "chicken": ("animals/birds/chicken_profile",),
    "duck": ("animals/birds/duck",),
    "penguin": ("animals/birds/little-penguin", "animals/birds/magellanic_penguin", "animals/birds/penguin"),
    "owl": ("animals/birds/owl",),
    "rooster": ("animals/birds/rooster",),
    "turkey": ("animals/birds/turkey",),
    "gorilla": ("animals/mammals/apes/gorilla",),
    "dolphin": ("animals/mammals/aquatic/dolphin",),
    "bear": ("animals/mammals/bears/bear", "animals/mammals/bears/european-bear"),
    "cow": ("animals/mammals/bovines/cow", "animals/mammals/bovines/cow_white"),
    "goat": ("animals/mammals/bovines/goat",),
    "ram": ("animals/mammals/bovines/ram",),
    "camel": ("animals/mammals/camel/camel",),
    "lion": ("animals/mammals/cats/lion-2", "animals/mammals/cats/lion"),
    "tiger": ("animals/mammals/cats/tiger", "animals/mammals/cats/tiger_sumatran"),
    "deer": ("animals/mammals/deer/deer",),
    "dog": ("animals/mammals/dogs/dog",),
    "fox": ("animals/mammals/dogs/fox",),
    "elephant": ("animals/mammals/elephant",),
    "horse": ("animals/mammals/equines/horse",),
    "pig": ("animals/mammals/pig", "animals/mammals/pig_golden", "animals/mammals/pig_golden2"),
    "rabbit": (
        "animals/mammals/rabbit_little",
        "animals/mammals/rodents/rabbit-2",
        "animals/mammals/rodents/rabbit",
    ),
    "mouse": ("animals/mammals/rodents/mouse",),
    "rat": ("animals/mammals/rodents/rat",),
    "koala": ("animals/marsupials/koala",),
    "cherries": ("food/fruit/Cherry_Stella",),
    "strawberry": ("food/fruit/Strawberry2",),
    "green apple": ("food/fruit/apple_green",),
    "red apple": ("food/fruit/apple_red",),
    "banana": ("food/fruit/banana",),
    "grapes": ("food/fruit/grapes",),
    "lemon": ("food/fruit/lemon",),
    "pear": ("food/fruit/pear",),
    "pineapple": ("food/fruit/pineapple",),
    "carrot": ("food/vegetables/carrot",),
    "eggplant": ("food/vegetables/eggplant",),
    "mushroom": ("food/vegetables/mushroom",),
    "potato": ("food/vegetables/potato",),
    "camera": ("hobbies/camera_35mm",),
    "trumpet": ("hobbies/music/brass/trumpet",),
    "drum": ("hobbies/music/percussion/drum_tomtom_floor",),
    "guitar": (
        "hobbies/music/string/guitar2",
        "hobbies/music/string/guitar_classical",
        "hobbies/music/string/guitar_electric",
        "hobbies/music/string/guitar_electric_bass",
    ),
    "violin": ("hobbies/music/string/violin",),
    "scissors": ("household/arttools/scissors_small_closed", "household/arttools/scissors_small_open"),
    "key": ("household/key",),
    "hammer": ("household/tools/hammer",),
    "paintbrush": ("household/tools/paintbrush_large",),
    "wrench": (
        "household/tools/wrench",
        "household/tools/wrench_adjustable",
        "household/tools/wrench_plumbers",
    ),
    "thermometer": ("medical/mercurythermometer",),
    "syringe": ("medical/syringe",),
    "hibiscus": ("plants/flowers/chemparathi",),
    "rose": ("plants/flowers/rose",),
    "palm tree": ("plants/trees/liberia-palm",),
    "Christmas tree": ("seasonal/christmas/Christmas_Tree_photo",),
    "basketball": ("sports/basketball",),
    "american football": ("sports/football",),
    "soccer ball": ("sports/soccer",),
    "airplane": ("vehicles/flight/planes/747",),
    "bus": ("vehicles/masstransit/green_korean_bus",),
    "ship": ("vehicles/ship/chineseJunk",),
}


def items(folder: Path) -> list[Item]:
    """Four-choice items about the photographs, right positions even.

    Raises:
        MissingPartError: The folder does not hold the stamps.
    """
    found = listing(axes.IDENTITY, style=EMOJI_STYLE, count=1)
    assert isinstance(found, ClassListing)  # noqa: S101 - identity is an axis of classes
    known = {concept.name.casefold(): concept for concept in found.concepts}
    pictures = []
    for name, paths in PHOTOGRAPHS.items():
        concept = known[name.casefold()]
        for path in paths:
            if not (folder / f"{path}.png").is_file():
                raise MissingPartError("not a folder of the stamps", found=str(folder / f"{path}.png"))
            pictures.append(
                Picture(
                    source=NAME,
                    image=f"{path}.png",
                    class_name=concept.name,
                    supercategory=concept.supercategory,
                )
            )
    built = build_items(ClassListing(NAME, axes.IDENTITY, tuple(pictures), found.concepts)).items
    return list(balanced(built, 42, "photographs"))


def share_right(member: Glimpse, asked: list[Item], folder: Path, *, blind: bool) -> int:
    """How many items the member answers right."""
    right = 0
    for item in asked:
        picture = None if blind else Image.open(folder / item.image).convert("RGBA")
        reply = member.answer(choice_prompt(item.question, item.choices), picture).text
        right += first_digit(reply, len(item.choices)) == item.answer
    return right


def main() -> None:
    """Read the command line, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stamps", type=Path)
    parser.add_argument("--members", nargs="*", default=["glimpse-obedient", "glimpse-stubborn"])
    parser.add_argument("--weights", type=Path, help="folder of packed files; the wheel's by default")
    arguments = parser.parse_args()
    asked = items(arguments.stamps)
    print(f"{len(asked)} photographs of {len({item.forget_concept for item in asked})} concepts")
    for name in arguments.members:
        member = Glimpse.load(name, arguments.weights)
        for blind in (False, True):
            right = share_right(member, asked, arguments.stamps, blind=blind)
            interval = wilson(right, len(asked))
            low, high = (100 * (end or 0.0) for end in (interval.low, interval.high))
            share, said = 100 * right / len(asked), "no picture" if blind else "photograph"
            print(f"{name}, {said}: {right} of {len(asked)} right, {share:.1f}% [{low:.1f}, {high:.1f}]")


if __name__ == "__main__":
    main()
