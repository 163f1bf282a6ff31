"""Arithmetic templates about amounts: remainders, fractions, comparisons, averages, shares, mixtures."""

from tools.arithmetic.language import Draft, Draw, Working, count, plural, times


def left_over_after_packing(draw: Draw) -> Draft:
    """The remainder after filling as many boxes as possible."""
    who, food = draw.person(), draw.one_of(("samosa", "empanada", "pretzel", "scone", "date cookie"))
    trays, each, box = draw.integer(4, 7), draw.integer(12, 18, 2), draw.integer(7, 11)
    made = trays * each
    eaten = draw.integer(5, 9)
    if (made - eaten) % box == 0:
        eaten += 1
    rest = made - eaten
    full = rest // box
    work = Working()
    x = work.step(f"{who.name} bakes", f"{trays}*{each}", made, plural(food))
    y = work.step("After the children have eaten there are", f"{x}-{eaten}", rest)
    z = work.step(f"At most {count(full, 'box')} can be filled, and they hold", f"{full}*{box}", full * box)
    gold = work.step("The number left over is", f"{y}-{z}", rest - full * box)
    return work.finish(
        f"{who.name} bakes {count(trays, 'tray')} of {plural(food)}, with {each} on each tray. "
        f"{who.possessive.capitalize()} children eat {eaten} of them. {who.name} then fills as many boxes as "
        f"{who.subject} can, with exactly {box} {plural(food)} in each box. How many {plural(food)} are left over?",
        gold,
    )


def vehicles_rounded_up(draw: Draw) -> Draft:
    """A number of people divided by seats, rounded up."""
    place = draw.one_of(("the planetarium", "the aquarium", "the bird reserve", "the open-air theater"))
    classes, pupils, teachers, seats = (
        draw.integer(4, 7),
        draw.integer(22, 29),
        draw.integer(8, 14),
        draw.integer(32, 48, 4),
    )
    people = classes * pupils + teachers
    if people % seats == 0:
        teachers, people = teachers + 1, people + 1
    full = people // seats
    work = Working()
    x = work.step("The number of pupils is", f"{classes}*{pupils}", classes * pupils)
    y = work.step("With the teachers there are", f"{x}+{teachers}", people, "people")
    z = work.step(f"{count(full, 'full bus')} can carry", f"{full}*{seats}", full * seats, "people")
    work.step("That leaves", f"{y}-{z}", people - full * seats, "without a seat, so one more bus is needed")
    gold = work.step("The number of buses is", f"{full}+1", full + 1)
    return work.finish(
        f"A school in {draw.place()} takes {count(classes, 'class')} of {pupils} pupils each, together with "
        f"{teachers} teachers, to {place}. Each bus has {seats} passenger seats, and everybody needs a seat. What is "
        f"the smallest number of buses that is enough?",
        gold,
    )


def fraction_of_the_rest(draw: Draw) -> Draft:
    """A fraction of the whole goes, then a fraction of what is left."""
    who = draw.person()
    first, first_word = draw.one_of(((3, "a third"), (4, "a quarter"), (5, "a fifth")))
    second, second_word = draw.one_of(((2, "half"), (4, "a quarter"), (6, "a sixth")))
    whole = first * second * draw.integer(4, 12)
    rest = whole - whole // first
    second_day = rest // second
    thing, action = draw.one_of(
        (("bead", "uses"), ("tulip bulb", "plants"), ("seedling", "plants"), ("postcard", "sorts"))
    )
    work = Working()
    x = work.step(f"On Monday {who.subject} {action}", f"{whole}/{first}", whole // first, plural(thing))
    y = work.step("That leaves", f"{whole}-{x}", rest)
    z = work.step(f"On Tuesday {who.subject} {action}", f"{y}/{second}", second_day)
    gold = work.step("That leaves", f"{y}-{z}", rest - second_day)
    verb = {"uses": "used", "plants": "planted", "sorts": "sorted"}[action]
    return work.finish(
        f"{who.name} has {count(whole, thing)}. On Monday {who.subject} {action} {first_word} of them. On Tuesday "
        f"{who.subject} {action} {second_word} of those that were left on Monday evening. How many {plural(thing)} "
        f"has {who.name} not yet {verb} at the end of Tuesday?",
        gold,
    )


def chain_of_comparisons(draw: Draw) -> Draft:
    """B is a multiple of A, C is fewer than B; all three together."""
    a, b, c = draw.people(3)
    thing, verb = draw.one_of((("shell", "collects"), ("chestnut", "gathers"), ("photo", "takes"), ("stone", "finds")))
    first, factor, fewer = draw.integer(12, 35), draw.integer(2, 4), draw.integer(5, 14)
    work = Working()
    x = work.step(f"{b.name} has", f"{first}*{factor}", first * factor, plural(thing))
    y = work.step(f"{c.name} has", f"{x}-{fewer}", x - fewer)
    gold = work.step("Together they have", f"{first}+{x}+{y}", first + x + y)
    return work.finish(
        f"{a.name} {verb} {count(first, thing)}. {b.name} {verb} {times(factor)} as many {plural(thing)} as "
        f"{a.name}, and {c.name} {verb} {fewer} fewer than {b.name}. How many {plural(thing)} do the three of them "
        f"have in total?",
        gold,
    )


def gap_after_a_gift(draw: Draw) -> Draft:
    """Before and after: a transfer changes both sides, and the gap is asked for."""
    a, b = draw.people(2)
    thing = draw.one_of(("comic", "sticker", "marble", "stamp", "football card"))
    poor, given, gap = draw.integer(15, 40), draw.integer(6, 14), draw.integer(4, 25)
    rich = poor + 2 * given + gap
    work = Working()
    x = work.step(f"Afterwards {a.name} has", f"{rich}-{given}", rich - given, plural(thing))
    y = work.step(f"Afterwards {b.name} has", f"{poor}+{given}", poor + given, plural(thing))
    gold = work.step("The difference is", f"{x}-{y}", gap)
    return work.finish(
        f"{a.name} has {count(rich, thing)} and {b.name} has {count(poor, thing)}. {a.name} gives {given} of "
        f"{a.possessive} {plural(thing)} to {b.name}. How many more {plural(thing)} than {b.name} does {a.name} have "
        f"now?",
        gold,
    )


def score_for_an_average(draw: Draw) -> Draft:
    """The last value that brings an average to a target."""
    who = draw.person()
    subject = draw.one_of(("geography", "chemistry", "Spanish", "history"))
    target = draw.integer(78, 86)
    scores = [target + draw.integer(-9, 5) for _ in range(3)]
    last = 4 * target - sum(scores)
    while last > 100:
        scores[scores.index(min(scores))] += 1
        last = 4 * target - sum(scores)
    work = Working()
    a, b, c = scores
    x = work.step(f"So far {who.subject} has", f"{a}+{b}+{c}", sum(scores), "points")
    y = work.step(f"For the average {who.subject} needs", f"{target}*4", target * 4, "points")
    gold = work.step("The fourth test must bring", f"{y}-{x}", last, "points")
    return work.finish(
        f"In {subject}, {who.name} scored {a}, {b} and {c} points in the first three tests. Each test is worth at "
        f"most 100 points. How many points must {who.subject} score in the fourth test so that {who.possessive} "
        f"average over all four tests is exactly {target} points?",
        gold,
    )


def sum_and_difference(draw: Draw) -> Draft:
    """Two unknowns from their sum and their difference."""
    a, b = draw.people(2)
    thing, verb = draw.one_of((("letter", "deliver"), ("chair", "repaint"), ("tree", "plant"), ("car", "wash")))
    past = verb + "ed"
    smaller, more = draw.integer(18, 60), draw.integer(6, 24, 2)
    total = 2 * smaller + more
    work = Working()
    x = work.step("Without the extra ones there would be", f"{total}-{more}", total - more, plural(thing))
    y = work.step(f"{b.name} {past}", f"{x}/2", smaller)
    gold = work.step(f"{a.name} {past}", f"{y}+{more}", smaller + more)
    return work.finish(
        f"{a.name} and {b.name} {past} {count(total, thing)} altogether. {a.name} {past} {more} more {plural(thing)} "
        f"than {b.name}. How many {plural(thing)} did {a.name} {verb}?",
        gold,
    )


def shares_in_a_ratio(draw: Draw) -> Draft:
    """A total split three ways in a ratio; the gap between the largest and the smallest share. Thousands."""
    a, b, c = draw.people(3)
    job = draw.one_of(("painting a school", "rebuilding a stone wall", "catering a wedding", "tiling a swimming pool"))
    small, middle = draw.integer(1, 2), draw.integer(3, 4)
    large = draw.integer(5, 7)
    part = draw.integer(180, 420, 20)
    total = part * (small + middle + large)
    work = Working(grouped=True)
    x = work.step("The number of parts is", f"{small}+{middle}+{large}", small + middle + large)
    y = work.step("One part is", f"{total}/{x}", part, sign="$")
    z = work.step(f"{c.name}'s share is larger than {a.name}'s by", f"{large}-{small}", large - small, "parts")
    gold = work.step("That is", f"{z}*{y}", (large - small) * part, sign="$")
    return work.finish(
        f"{a.name}, {b.name} and {c.name} are paid ${total:,} for {job} and divide the money in the ratio {small} : "
        f"{middle} : {large}, in this order. How many dollars more than {a.name} does {c.name} get?",
        gold,
    )


def three_days_of_visitors(draw: Draw) -> Draft:
    """A rise by a percentage, half of a running sum, and a total. Thousands."""
    event = draw.one_of(("book fair", "kite festival", "film week", "chess open"))
    first, percent = draw.integer(400, 1200, 40), draw.integer(10, 40, 5)
    rise = first * percent // 100  # a multiple of 2, as 40 * 5 / 100 = 2
    two = 2 * first + rise
    work = Working(grouped=True)
    x = work.step("The increase on Saturday was", f"{first}*{percent}/100", rise)
    y = work.step("Saturday had", f"{first}+{x}", first + rise, "visitors")
    z = work.step("The first two days together had", f"{first}+{y}", two)
    last = work.step("Sunday had", f"{z}/2", two // 2)
    gold = work.step("All three days together had", f"{z}+{last}", two + two // 2)
    return work.finish(
        f"On Friday, {first:,} visitors came to a {event} in {draw.place()}. On Saturday there were {percent}% more "
        f"visitors than on Friday. On Sunday there were half as many visitors as on Friday and Saturday together. "
        f"How many visitors came on the three days in total?",
        gold,
    )


def mixture_by_parts(draw: Draw) -> Draft:
    """A total from glasses, split into parts; the amount of one ingredient. Thousands."""
    who = draw.person()
    syrup, water = draw.integer(1, 2), draw.integer(3, 7, 2)
    guests = draw.integer(3, 6) * (syrup + water)
    glass = draw.integer(200, 300, 50)
    flavour = draw.one_of(("hibiscus", "lavender", "tamarind", "ginger"))
    total = guests * glass
    part = total // (syrup + water)
    work = Working(grouped=True)
    x = work.step(f"{who.name} needs", f"{guests}*{glass}", total, "milliliters of drink")
    y = work.step("The number of parts is", f"{syrup}+{water}", syrup + water)
    z = work.step("One part is", f"{x}/{y}", part, "milliliters")
    gold = work.step("The water comes to", f"{z}*{water}", part * water, "milliliters")
    return work.finish(
        f"For a {flavour} drink, {who.name} mixes {count(syrup, 'part')} of syrup with {water} parts of water. "
        f"{who.opening} wants to fill {guests} glasses with exactly {glass} milliliters each. How many milliliters "
        f"of water does {who.subject} need?",
        gold,
    )


def recipe_scaled_up(draw: Draw) -> Draft:
    """An amount per person, scaled to more people, less what is in the cupboard."""
    who = draw.person()
    dish, stuff = draw.one_of(
        (("jollof rice", "rice"), ("pierogi", "flour"), ("dal", "lentils"), ("couscous", "semolina"))
    )
    serves, each, guests = draw.integer(4, 6), draw.integer(60, 90, 5), draw.integer(9, 16)
    have = draw.integer(150, 400, 50)
    need = each * guests
    work = Working()
    x = work.step("For one person it takes", f"{serves * each}/{serves}", each, "grams")
    y = work.step(f"For {guests} people it takes", f"{x}*{guests}", need, "grams")
    gold = work.step("The amount still needed is", f"{y}-{have}", need - have, "grams")
    return work.finish(
        f"A recipe for {dish} for {serves} people calls for {serves * each} grams of {stuff}. {who.name} wants to "
        f"cook it in the same proportion for {guests} people and has {have} grams of {stuff} at home. How many more "
        f"grams of {stuff} does {who.subject} need?",
        gold,
    )


def stock_over_weeks(draw: Draw) -> Draft:
    """Stock falls daily and rises with deliveries."""
    who = draw.person()
    goods = draw.one_of(("sack of cement", "bottle of water", "roll of fabric", "can of paint"))
    many = plural(goods.split(" of ")[0]) + " of " + goods.split(" of ")[1]
    sold, weeks, days = draw.integer(12, 25), draw.integer(2, 4), draw.integer(5, 6)
    delivery = draw.integer(40, 60, 5)
    end = draw.integer(35, 120)
    start = end + sold * days * weeks - delivery * weeks
    work = Working()
    x = work.step("In a week the shop sells", f"{sold}*{days}", sold * days, many)
    y = work.step(f"In {weeks} weeks it sells", f"{x}*{weeks}", sold * days * weeks)
    z = work.step("The deliveries bring", f"{delivery}*{weeks}", delivery * weeks)
    total = work.step("Stock and deliveries together are", f"{start}+{z}", start + z)
    gold = work.step("At the end the stock is", f"{total}-{y}", end)
    return work.finish(
        f"{who.name}'s shop has {start} {many} in stock. It is open {days} days a week and sells {sold} of them "
        f"every day it is open. At the start of each of the next {weeks} weeks, another {delivery} {many} are "
        f"delivered. How many {many} are in stock at the end of these {weeks} weeks?",
        gold,
    )


QUANTITIES = (
    left_over_after_packing,
    vehicles_rounded_up,
    fraction_of_the_rest,
    chain_of_comparisons,
    gap_after_a_gift,
    score_for_an_average,
    sum_and_difference,
    shares_in_a_ratio,
    three_days_of_visitors,
    mixture_by_parts,
    recipe_scaled_up,
    stock_over_weeks,
)
