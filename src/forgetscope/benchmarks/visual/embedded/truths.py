"""What is true by construction: colours, shapes, sizes, rooms and places, habitats, behaviours, brands.

Ours, written by hand. Labels of drawings are emojibase's; habitats are of the kind of animal, not of a
picture, as LAD's attributes are of a class.
"""

COLOURS: dict[str, tuple[int, int, int]] = {
    "red": (222, 40, 40),
    "orange": (245, 140, 30),
    "yellow": (250, 215, 50),
    "green": (60, 165, 70),
    "blue": (45, 95, 215),
    "purple": (140, 60, 175),
    "brown": (125, 80, 45),
    "black": (45, 45, 45),
}

COLOURED = ("balloon", "T-shirt", "automobile", "key", "gloves", "bell", "chair", "shark", "snail", "violin")
"""Drawings that are recoloured; any of them exists in any colour."""

SHAPES = ("circle", "square", "triangle", "star", "heart", "diamond", "hexagon", "cross")

SIZES: dict[str, tuple[float, float]] = {
    "tiny": (0.12, 0.18),
    "small": (0.27, 0.36),
    "medium": (0.5, 0.62),
    "large": (0.86, 1.0),
}
"""Part of the picture's edge the drawing takes."""

SCALE = "The four sizes are about a seventh, a third, a half and nearly all of the width of the image."
"""What the sizes mean, without their names."""

SIZED = ("dog", "house", "bus", "apple", "duck", "shoe", "sun", "fish", "book", "tractor")
"""Drawings shown in any size; aliases of labels are in `LABELS`."""

LABELS = {
    "apple": "red apple",
    "shoe": "man’s shoe",
    "book": "closed book",
}
"""Everyday names to emojibase's labels."""

ROOMS: dict[str, tuple[str, ...]] = {
    "kitchen": ("cooking", "kitchen knife", "fork and knife with plate", "bowl with spoon", "pot of food", "salt"),
    "bathroom": ("toilet", "bathtub", "shower", "soap", "toothbrush", "roll of paper", "razor"),
    "office": ("desktop computer", "printer", "briefcase", "telephone", "file cabinet", "paperclip", "calendar"),
    "classroom": ("books", "pencil", "straight ruler", "abacus", "graduation cap", "backpack", "crayon", "notebook"),
    "bedroom": ("bed", "teddy bear", "alarm clock", "person in bed", "nightgown", "slippers", "candle"),
    "music room": ("violin", "drum", "trumpet", "musical keyboard", "saxophone", "accordion", "banjo"),
    "laboratory": ("microscope", "test tube", "petri dish", "dna", "alembic", "syringe"),
    "workshop": ("hammer", "wrench", "screwdriver", "carpentry saw", "nut and bolt", "toolbox", "ladder"),
    "bakery": ("bread", "croissant", "baguette bread", "pretzel", "bagel", "cookie", "shortcake", "pie"),
    "sports hall": ("basketball", "volleyball", "badminton", "ping pong", "boxing glove", "trophy"),
}
"""Indoor scenes and the drawings that make them."""

PLACES: dict[str, tuple[str, ...]] = {
    "farm": ("cow", "pig", "rooster", "tractor", "sheaf of rice", "ear of corn", "ewe", "goat"),
    "forest": ("evergreen tree", "deciduous tree", "mushroom", "deer", "owl", "fox", "bear", "wolf"),
    "sea": ("sailboat", "fish", "dolphin", "spouting whale", "ship", "tropical fish", "shark", "speedboat"),
    "desert": ("camel", "two-hump camel", "scorpion", "lizard", "snake", "sun"),
    "city": ("office building", "bus", "taxi", "vertical traffic light", "bank", "hotel", "tram car", "bus stop"),
    "airport": ("airplane", "helicopter", "small airplane", "airplane departure", "airplane arrival", "luggage"),
    "fairground": ("ferris wheel", "roller coaster", "carousel horse", "circus tent", "balloon", "soft ice cream"),
    "garden": ("rose", "sunflower", "honeybee", "lady beetle", "blossom", "hibiscus", "snail", "bug"),
    "ski slope": ("skis", "snowman without snow", "snowflake", "sled", "snow-capped mountain", "skier", "snowboarder"),
    "night sky": ("crescent moon", "full moon", "star", "shooting star", "comet", "ringed planet", "milky way"),
}
"""Outdoor scenes and the drawings that make them."""

HABITATS: dict[str, tuple[str, ...]] = {
    "in the sea": ("dolphin", "spouting whale", "whale", "shark", "fish", "tropical fish", "crab", "blowfish", "squid"),
    "on a farm": ("cow", "pig", "ewe", "goat", "rooster", "chicken", "horse", "turkey", "ox"),
    "in the forest": ("deer", "bear", "fox", "wolf", "owl", "boar", "hedgehog", "chipmunk"),
    "in the savanna": ("lion", "giraffe", "zebra", "rhinoceros", "leopard", "hippopotamus"),
    "in the desert": ("camel", "two-hump camel", "scorpion"),
    "in a house": ("dog", "cat", "mouse", "hamster", "spider", "cockroach"),
}

ALSO_HABITATS: dict[str, tuple[str, ...]] = {
    "camel": ("on a farm", "in the savanna"),
    "cat": ("on a farm",),
    "cockroach": ("on a farm", "in the forest"),
    "dog": ("on a farm",),
    "fish": ("in a house",),
    "fox": ("on a farm", "in the desert"),
    "goat": ("in the desert",),
    "hamster": ("in the desert", "on a farm"),
    "hedgehog": ("on a farm", "in the desert"),
    "leopard": ("in the forest", "in the desert"),
    "lion": ("in the forest", "in the desert"),
    "mouse": ("on a farm", "in the forest", "in the savanna", "in the desert"),
    "owl": ("on a farm", "in the desert"),
    "rhinoceros": ("in the forest", "in the desert"),
    "scorpion": ("in the forest", "in the savanna"),
    "spider": ("on a farm", "in the forest", "in the savanna", "in the desert"),
    "tropical fish": ("in a house",),
    "turkey": ("in the forest",),
    "wolf": ("in the desert",),
}
"""Where these animals live too: never the answer, and never a wrong answer."""

ELSEWHERE = ("on the polar ice", "at the bottom of a lake")
"""Wrong answers for an animal that lives nearly everywhere; no animal of `HABITATS` that needs them lives there."""

BEHAVIOURS: dict[str, tuple[str, ...]] = {
    "swim": ("person swimming", "man swimming", "woman swimming"),
    "surf": ("person surfing", "man surfing", "woman surfing"),
    "row": ("person rowing boat", "man rowing boat", "woman rowing boat"),
    "run": ("person running", "man running", "woman running"),
    "walk": ("person walking", "man walking", "woman walking"),
    "cycle": ("person biking", "man biking", "woman biking"),
    "juggle": ("person juggling", "man juggling", "woman juggling"),
    "play golf": ("person golfing", "man golfing", "woman golfing"),
    "lift weights": ("person lifting weights", "man lifting weights", "woman lifting weights"),
    "dribble": ("person bouncing ball", "man bouncing ball", "woman bouncing ball"),
    "turn cartwheels": ("person cartwheeling", "man cartwheeling", "woman cartwheeling"),
    "dance": ("woman dancing", "man dancing"),
    "bow": ("person bowing", "man bowing", "woman bowing"),
    "shrug": ("person shrugging", "man shrugging", "woman shrugging"),
}
"""What drawn people do, and the emoji that show it."""

RELATIONS = ("left of", "right of", "above", "below")
