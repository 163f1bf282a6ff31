"""Arithmetic templates about time and rates: intervals, speeds, ages, tanks, machines, growth."""

from tools.arithmetic.language import Draft, Draw, Working, clock, count, plural


def minutes_before_departure(draw: Draw) -> Draft:
    """An interval between two clock times, less the time the journey takes."""
    who = draw.person()
    vessel, stop = draw.one_of((("ferry", "pier"), ("train", "station"), ("night coach", "coach stop")))
    ride, wait, walk = draw.integer(25, 55), draw.integer(8, 20), draw.integer(6, 15)
    journey = ride + wait + walk
    hours = 2
    late = draw.integer(5, 25, 5)
    start = 60 * draw.integer(13, 17) + draw.integer(5, 30, 5)
    interval = 60 * hours + late
    work = Working()
    x = work.step(f"The way to the {stop} takes", f"{wait}+{ride}+{walk}", journey, "minutes")
    late = work.step("Beyond full hours there are", f"{(start + interval) % 60}-{start % 60}", late, "minutes")
    y = work.step("2 hours are", f"{hours}*60", 60 * hours, "minutes")
    z = work.step(f"From {clock(start)} to {clock(start + interval)} there are", f"{y}+{late}", interval, "minutes")
    gold = work.step(f"At the {stop} {who.subject} has to wait", f"{z}-{x}", interval - journey, "minutes")
    return work.finish(
        f"{who.name} leaves home at {clock(start)} and waits {count(wait, 'minute')} for a bus. {who.opening} rides "
        f"the bus for {count(ride, 'minute')} and then walks {count(walk, 'minute')} to the {stop}, where a {vessel} "
        f"leaves at {clock(start + interval)} For how many minutes does {who.subject} have to wait at the {stop} "
        f"until the {vessel} leaves?",
        gold,
    )


def rest_of_a_journey(draw: Draw) -> Draft:
    """Two legs at two speeds; what is left of the distance."""
    who = draw.person()
    a, b = draw.some_of(("Alder", "Birchwood", "Casa Alta", "Dunholm", "Eskdale", "Fontana"), 2)
    fast, slow, h1, h2 = draw.integer(70, 95, 5), draw.integer(40, 60, 5), draw.integer(2, 4), draw.integer(2, 3)
    left = draw.integer(35, 160, 5)
    total = fast * h1 + slow * h2 + left
    work = Working()
    x = work.step("On the highway the truck covers", f"{fast}*{h1}", fast * h1, "kilometers")
    y = work.step("On the mountain road it covers", f"{slow}*{h2}", slow * h2, "kilometers")
    z = work.step("Together that is", f"{x}+{y}", x + y, "kilometers")
    gold = work.step("The distance left is", f"{total}-{z}", left, "kilometers")
    return work.finish(
        f"The road from {a} to {b} is {total} kilometers long. {who.name} sets out from {a} in a truck and drives "
        f"along this road for {h1} hours at {fast} kilometers an hour on the highway and then for {h2} hours at "
        f"{slow} kilometers an hour in the mountains. How many kilometers are then still left to {b}?",
        gold,
    )


def ages_from_a_future_sum(draw: Draw) -> Draft:
    """A multiple today and a sum some years ahead give an age today."""
    younger = draw.person()
    relation, factor = draw.one_of((("mother", 4), ("father", 4), ("aunt", 3), ("uncle", 3)))
    age, years = draw.integer(7, 11), draw.integer(3, 9)
    total = age + factor * age + 2 * years
    work = Working()
    x = work.step(f"In {years} years both together gain", f"{years}*2", 2 * years, "years")
    y = work.step("Today their ages add up to", f"{total}-{x}", total - x)
    z = work.step(f"As a multiple of {younger.name}'s age this is", f"{factor}+1", factor + 1)
    own = work.step(f"{younger.name} is", f"{y}/{z}", age, "years old")
    gold = work.step(f"The {relation} is", f"{own}*{factor}", age * factor, "years old")
    return work.finish(
        f"{younger.name}'s {relation} is {factor} times as old as {younger.name}. In {years} years their ages will "
        f"add up to {total}. How many years old is the {relation} today?",
        gold,
    )


def filling_with_a_leak(draw: Draw) -> Draft:
    """Two inflows and an outflow; the time to fill. Thousands in the question."""
    tank = draw.one_of(("rainwater tank", "irrigation tank", "fish tank", "storage tank"))
    first, second, leak, minutes = (
        draw.integer(40, 80, 5),
        draw.integer(25, 60, 5),
        draw.integer(5, 15),
        draw.integer(25, 90),
    )
    net = first + second - leak
    work = Working(grouped=True)
    x = work.step("Every minute the pumps bring in", f"{first}+{second}", first + second, "liters")
    y = work.step("With the leak the tank gains", f"{x}-{leak}", net, "liters a minute")
    gold = work.step("It is full after", f"{net * minutes}/{y}", minutes, "minutes")
    return work.finish(
        f"The capacity of an empty {tank} is {net * minutes:,} liters. One pump brings {first} liters of water a "
        f"minute and a second pump {second} liters a minute, while {leak} liters a minute run out through a leak. "
        f"Both pumps are switched on at the same moment. After how many minutes is the tank full?",
        gold,
    )


def bottles_for_a_trek(draw: Draw) -> Draft:
    """Milliliters a day for a group, turned into liters and into money."""
    place = draw.one_of(("desert", "canyon", "savanna", "highlands"))
    people, cups, days = draw.integer(3, 8), draw.integer(4, 8, 2), draw.integer(3, 6)
    cup, price = draw.one_of((250, 500)), draw.integer(2, 3)
    daily = people * cups * cup
    days += -days % 2 if daily * days % 1000 else 0
    litres = daily * days // 1000
    work = Working()
    x = work.step("In one day they drink", f"{people}*{cups}", people * cups, "cups")
    y = work.step("That is", f"{x}*{cup}", daily, "milliliters")
    z = work.step("For the whole trek they need", f"{y}*{days}", daily * days, "milliliters")
    w = work.step("In liters this is", f"{z}/1000", litres)
    gold = work.step("The water costs", f"{w}*{price}", litres * price, sign="$")
    return work.finish(
        f"A group of {people} hikers crosses the {place} in {days} days. Each hiker drinks {cups} cups of {cup} "
        f"milliliters every day. They buy exactly as much water as they drink, in bottles of 1 liter that cost "
        f"${price} each. How many dollars do they pay for the water?",
        gold,
    )


def pages_to_catch_up(draw: Draw) -> Draft:
    """A rate so far, a remainder, and the rate that is needed for it."""
    who, other = draw.people(2)
    slow, days, left, need = draw.integer(11, 19), draw.integer(5, 9), draw.integer(4, 7), draw.integer(21, 38)
    total = slow * days + left * need
    work = Working()
    x = work.step(f"{who.name} has read", f"{slow}*{days}", slow * days, "pages")
    y = work.step("The part left to read is", f"{total}-{x}", left * need, "pages")
    gold = work.step("Each day that makes", f"{y}/{left}", need, "pages")
    return work.finish(
        f"{other.name} lends {who.name} a novel of {total} pages. {who.name} reads {slow} pages a day for {days} "
        f"days. {who.opening} must give the book back in {left} days and wants to read the same number of pages on "
        f"each of those days. How many pages a day does {who.subject} have to read from now on to finish the novel "
        f"in time?",
        gold,
    )


def machines_and_hours(draw: Draw) -> Draft:
    """A rate per machine and hour, applied to other numbers of both. Thousands."""
    goods = draw.one_of(("bricks", "socks", "ceramic cups", "bicycle chains", "envelopes"))
    machines, hours, rate = draw.integer(3, 6), draw.integer(2, 5), draw.integer(40, 90, 5)
    more, longer = machines + draw.integer(2, 5), draw.integer(6, 9)
    made = machines * hours * rate
    work = Working(grouped=True)
    x = work.step("One machine makes", f"{made}/{machines}", hours * rate, goods)
    y = work.step("In one hour it makes", f"{x}/{hours}", rate)
    z = work.step(f"In one hour {more} machines make", f"{y}*{more}", rate * more)
    gold = work.step(f"In {longer} hours they make", f"{z}*{longer}", rate * more * longer)
    return work.finish(
        f"In a factory, {machines} identical machines make {made:,} {goods} in {hours} hours. At the same speed, how "
        f"many {goods} do {more} of these machines make in {longer} hours?",
        gold,
    )


def catching_up(draw: Draw) -> Draft:
    """A head start, a difference of speeds, and the time it takes to close the gap."""
    a, b = draw.people(2)
    slow, faster, head = draw.integer(60, 80, 5), draw.integer(10, 30, 5), draw.integer(3, 8)
    quick = slow + faster
    while slow * head % faster:
        head += 1
    work = Working()
    x = work.step(f"When {b.name} sets out, {a.name} is ahead by", f"{slow}*{head}", slow * head, "meters")
    y = work.step(f"Every minute {b.name} gains", f"{quick}-{slow}", faster, "meters")
    gold = work.step(f"{b.name} catches up after", f"{x}/{y}", slow * head // faster, "minutes")
    return work.finish(
        f"{a.name} walks along a river path at {slow} meters a minute. {b.name} starts {count(head, 'minute')} later "
        f"from the same place and walks the same way at {quick} meters a minute. How many minutes does {b.name} have "
        f"to walk to catch up with {a.name}?",
        gold,
    )


def growing_by_the_same_amount(draw: Draw) -> Draft:
    """Four terms of an arithmetic sequence and their sum."""
    who = draw.person()
    verb, unit, low, high, more = draw.one_of(
        (("swims", "length", 10, 24, 6), ("runs", "lap", 5, 12, 4), ("paints", "tile", 6, 15, 5))
    )
    first, extra = draw.integer(low, high), draw.integer(2, more)
    terms = [first + extra * i for i in range(4)]
    work = Working()
    for i, day in enumerate(("Tuesday", "Wednesday", "Thursday")):
        work.step(f"On {day} {who.subject} {verb}", f"{terms[i]}+{extra}", terms[i + 1], plural(unit))
    gold = work.step("In total that makes", "+".join(map(str, terms)), sum(terms), plural(unit))
    return work.finish(
        f"On Monday {who.name} {verb} {count(first, unit)}. On each of the next three days {who.subject} {verb} "
        f"{extra} more {plural(unit)} than on the day before. How many {plural(unit)} does {who.subject} complete on "
        f"these four days in total?",
        gold,
    )


def days_a_supply_lasts(draw: Draw) -> Draft:
    """A store divided by what all eaters take in a day; the only template of two steps."""
    who = draw.person()
    animal, food, unit, low, high = draw.one_of(
        (
            ("horse", "hay", "kilogram", 8, 12),
            ("camel", "hay", "kilogram", 6, 10),
            ("elephant", "grass", "kilogram", 110, 150),
        )
    )
    animals, each, days = draw.integer(3, 9), draw.integer(low, high), draw.integer(6, 20)
    daily = animals * each
    work = Working(grouped=True)
    x = work.step("In one day they eat", f"{animals}*{each}", daily, plural(unit))
    gold = work.step("The supply lasts", f"{daily * days}/{x}", days, "days")
    return work.finish(
        f"{who.name} looks after {count(animals, animal)}. Each of them eats {count(each, unit)} of {food} a day, "
        f"and {who.subject} has {count(daily * days, unit)} of {food} in store. For how many days does the supply "
        f"last?",
        gold,
    )


def doubling_culture(draw: Draw) -> Draft:
    """Repeated doubling, with a removal in the middle. Thousands."""
    first, removed = draw.integer(110, 240, 10), draw.integer(50, 180, 10)
    plant = draw.one_of(("duckweed plants", "water fleas", "yeast cells", "green algae cells"))
    vessel = {"duckweed plants": "pond", "water fleas": "tank"}.get(plant, "dish")
    work = Working(grouped=True)
    x = work.step("After one day there are", f"{first}*2", first * 2, plant)
    y = work.step("After two days there are", f"{x}*2", first * 4)
    z = work.step("After the removal there are", f"{y}-{removed}", first * 4 - removed)
    w = work.step("After three days there are", f"{z}*2", z * 2)
    gold = work.step("After four days there are", f"{w}*2", w * 2)
    return work.finish(
        f"The number of {plant} in a {vessel} doubles every day. On Sunday at noon there are {first} of them. On "
        f"Tuesday at noon, when the number has doubled for the second time, a researcher takes out {removed} of "
        f"them. The others go on doubling every day. How many {plant} are in the {vessel} on Thursday at noon?",
        gold,
    )


def fuel_there_and_back(draw: Draw) -> Draft:
    """A return distance, several trips, fuel by distance, and its price."""
    who, goods = draw.person(), draw.one_of(("flowers", "bread", "newspapers", "fresh fish"))
    per, price, trips = draw.integer(8, 15), draw.integer(2, 3), draw.integer(4, 6)
    one_way = per * draw.integer(2, 6)
    distance = 2 * one_way * trips
    work = Working()
    x = work.step("There and back it is", f"{one_way}*2", 2 * one_way, "kilometers")
    y = work.step("In a week that makes", f"{x}*{trips}", distance, "kilometers")
    z = work.step("For this the van needs", f"{y}/{per}", distance // per, "liters of fuel")
    gold = work.step("The fuel costs", f"{z}*{price}", distance // per * price, sign="$")
    return work.finish(
        f"Every week {who.name} makes {trips} trips with a van full of {goods} to a market that is {one_way} "
        f"kilometers away, and each time drives back the same way. The van goes {per} kilometers on one liter of "
        f"fuel, and a liter costs ${price}. How many dollars does {who.name} spend on fuel for these trips in one "
        f"week?",
        gold,
    )


TIME = (
    minutes_before_departure,
    rest_of_a_journey,
    ages_from_a_future_sum,
    filling_with_a_leak,
    bottles_for_a_trek,
    pages_to_catch_up,
    machines_and_hours,
    catching_up,
    growing_by_the_same_amount,
    days_a_supply_lasts,
    doubling_culture,
    fuel_there_and_back,
)
