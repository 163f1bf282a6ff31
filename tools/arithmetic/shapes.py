"""Arithmetic templates about rows, perimeters and areas."""

from tools.arithmetic.language import Draft, Draw, Working, count


def orchard_to_crates(draw: Draw) -> Draft:
    """Rows by columns, a yield per tree, a loss, and a division into crates. Thousands."""
    fruit, crop = draw.one_of((("apple", "apples"), ("orange", "oranges"), ("peach", "peaches"), ("lemon", "lemons")))
    rows, trees, each = draw.integer(6, 12), draw.integer(8, 15), draw.integer(30, 60, 5)
    crate = draw.integer(20, 40, 10)
    total = rows * trees * each
    lost = crate + total % crate + crate * draw.integer(0, 3)
    work = Working(grouped=True)
    x = work.step("The orchard has", f"{rows}*{trees}", rows * trees, "trees")
    y = work.step("They bear", f"{x}*{each}", total, crop)
    z = work.step("After the hail there are", f"{y}-{lost}", total - lost)
    gold = work.step("These fill", f"{z}/{crate}", (total - lost) // crate, "crates")
    return work.finish(
        f"An orchard has {count(rows, 'row')} of {trees} {fruit} trees, and every tree bears {each} {crop}. Hail "
        f"destroys {lost} of the {crop}. The others are packed into crates of {crate}. How many crates are filled?",
        gold,
    )


def posts_around_a_field(draw: Draw) -> Draft:
    """A rectangle known by its width and a comparison; its perimeter divided by a spacing."""
    who, animals = draw.person(), draw.one_of(("alpacas", "goats", "horses", "geese", "llamas"))
    spacing = draw.integer(2, 5)
    width = spacing * draw.integer(6, 14)
    longer = spacing * draw.integer(2, 8)
    length = width + longer
    work = Working()
    x = work.step("The length is", f"{width}+{longer}", length, "meters")
    y = work.step("Length and width together are", f"{x}+{width}", length + width, "meters")
    z = work.step("The fence measures", f"{y}*2", 2 * (length + width), "meters")
    gold = work.step("The number of posts is", f"{z}/{spacing}", 2 * (length + width) // spacing)
    return work.finish(
        f"{who.name} fences in a rectangular field for {who.possessive} {animals}. The field is {width} meters wide, "
        f"and its length is {longer} meters more than its width. There is a post at every corner, and along the "
        f"whole fence each post stands {spacing} meters from the next. How many posts does the fence have?",
        gold,
    )


def tiles_around_a_pool(draw: Draw) -> Draft:
    """The difference of two areas, times a number per square meter. Thousands."""
    what = draw.one_of(("swimming pool", "fish pond", "flower bed"))
    inner_w, inner_l, rim = draw.integer(3, 7), draw.integer(8, 14), 2 * draw.integer(1, 3)
    outer_w, outer_l, per = inner_w + rim, inner_l + rim, draw.integer(12, 25)
    area = outer_w * outer_l - inner_w * inner_l
    work = Working(grouped=True)
    x = work.step("The whole courtyard measures", f"{outer_l}*{outer_w}", outer_l * outer_w, "square meters")
    y = work.step(f"The {what} measures", f"{inner_l}*{inner_w}", inner_l * inner_w, "square meters")
    z = work.step("The area to be tiled is", f"{x}-{y}", area, "square meters")
    gold = work.step("The number of tiles is", f"{z}*{per}", area * per)
    return work.finish(
        f"A rectangular courtyard in {draw.place()} is {outer_l} meters long and {outer_w} meters wide. In it lies a "
        f"rectangular {what} that is {inner_l} meters long and {inner_w} meters wide. The rest of the courtyard is "
        f"to be covered with tiles, and each square meter takes {per} tiles. How many tiles are needed?",
        gold,
    )


SHAPES = (
    orchard_to_crates,
    posts_around_a_field,
    tiles_around_a_pool,
)
