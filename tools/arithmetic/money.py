"""Arithmetic templates about money: change, discounts, tariffs, wages, profit, instalments, collections."""

from tools.arithmetic.language import Draft, Draw, Working, count, plural


def change_from_a_note(draw: Draw) -> Draft:
    """Two kinds of goods, paid with a note: a*p + b*q taken from what was handed over."""
    who, (first, second) = draw.person(), draw.some_of(("mango", "avocado", "coconut", "pineapple", "melon"), 2)
    shop = draw.one_of(("at the Saturday market", "at a stall by the harbor", "in the village shop"))
    a, b, p, q = draw.integer(3, 9), draw.integer(3, 8), draw.integer(2, 4), draw.integer(5, 6)
    note = 50 if a * p + b * q < 50 else 100
    work = Working()
    x = work.step(f"The {plural(first)} cost", f"{a}*{p}", a * p, sign="$")
    y = work.step(f"The {plural(second)} cost", f"{b}*{q}", b * q, sign="$")
    total = work.step(f"Altogether {who.subject} spends", f"{x}+{y}", x + y, sign="$")
    gold = work.step("The change is", f"{note}-{total}", note - total, sign="$")
    return work.finish(
        f"{who.name} buys {count(a, first)} at ${p} each and {count(b, second)} at ${q} each {shop}. {who.opening} "
        f"pays with a ${note} note. How many dollars of change does {who.subject} get?",
        gold,
    )


def discount_then_delivery(draw: Draw) -> Draft:
    """A percentage off, then a fixed voucher, then a delivery fee on top."""
    who, thing = draw.person(), draw.one_of(("winter coat", "rice cooker", "bookcase", "sewing machine", "tent"))
    price, percent = draw.integer(80, 240, 20), draw.integer(10, 40, 5)
    voucher, delivery = draw.integer(5, 15), draw.integer(4, 12)
    work = Working()
    off = work.step("The discount is", f"{price}*{percent}/100", price * percent // 100, sign="$")
    reduced = work.step("That leaves", f"{price}-{off}", price - off, sign="$")
    less = work.step("After the voucher it is", f"{reduced}-{voucher}", reduced - voucher, sign="$")
    gold = work.step("With delivery it comes to", f"{less}+{delivery}", less + delivery, sign="$")
    return work.finish(
        f"A {thing} has a price of ${price}. An online shop takes {percent}% off this price. {who.name} then uses a "
        f"voucher that takes off another ${voucher}, and pays ${delivery} for delivery. How many dollars does "
        f"{who.name} pay in all?",
        gold,
    )


def first_hours_dearer(draw: Draw) -> Draft:
    """A tariff in two pieces: one rate up to a limit, another for every hour above it."""
    who = draw.person()
    thing, place = draw.one_of((("kayak", "on the lake"), ("cargo bike", "in town"), ("paddle boat", "at the beach")))
    first, rate = draw.integer(2, 4), draw.integer(9, 15)
    more, later = draw.integer(2, 5), draw.integer(4, 7)
    hours = first + more
    work = Working()
    x = work.step(f"The first {count(first, 'hour')} cost", f"{first}*{rate}", first * rate, sign="$")
    work.step(f"{who.name} keeps it beyond that for", f"{hours}-{first}", more, "hours")
    y = work.step("Those hours cost", f"{more}*{later}", more * later, sign="$")
    gold = work.step("In total that is", f"{x}+{y}", x + y, sign="$")
    return work.finish(
        f"Renting a {thing} {place} costs ${rate} an hour for the first {count(first, 'hour')} and ${later} for "
        f"every hour after that. {who.name} rents one for {count(hours, 'hour')}. How many dollars does "
        f"{who.subject} pay?",
        gold,
    )


def weeks_to_a_goal(draw: Draw) -> Draft:
    """What is still missing, divided by what is put aside a week."""
    who, thing = draw.person(), draw.one_of(("guitar", "bicycle", "telescope", "drum kit", "camera"))
    earn, spend, weeks = draw.integer(28, 45), draw.integer(6, 14), draw.integer(6, 14)
    have = draw.integer(30, 90, 5)
    price = have + (earn - spend) * weeks
    work = Working()
    missing = work.step(f"{who.name} still needs", f"{price}-{have}", price - have, sign="$")
    kept = work.step(f"Each week {who.subject} saves", f"{earn}-{spend}", earn - spend, sign="$")
    gold = work.step("That takes", f"{missing}/{kept}", missing // kept, "weeks")
    return work.finish(
        f"{who.name} wants to buy a {thing} that costs ${price} and has ${have} so far. {who.opening} earns ${earn} "
        f"a week by walking dogs, spends ${spend} of it every week on bus fares and saves the rest. After how many "
        f"weeks will {who.subject} have exactly enough money?",
        gold,
    )


def pay_with_commission(draw: Draw) -> Draft:
    """A percentage of the sales above a threshold, added to fixed pay. Thousands."""
    who = draw.person()
    goods = draw.one_of(("carpets", "solar panels", "used cars", "kitchens", "garden sheds"))
    base, threshold = draw.integer(1400, 2200, 100), draw.integer(8000, 12000, 1000)
    above, percent = draw.integer(3000, 9000, 500), draw.integer(4, 12, 2)
    sales = threshold + above
    work = Working(grouped=True)
    x = work.step("The sales above the threshold are", f"{sales}-{threshold}", above, sign="$")
    y = work.step("The commission is", f"{x}*{percent}/100", above * percent // 100, sign="$")
    gold = work.step("The pay for the month is", f"{base}+{y}", base + y, sign="$")
    return work.finish(
        f"{who.name} sells {goods} in {draw.place()}. {who.opening} is paid ${base:,} a month, plus a commission of "
        f"{percent}% on the part of {who.possessive} monthly sales that lies above ${threshold:,}. In May "
        f"{who.subject} sold {goods} for ${sales:,}. How many dollars was {who.subject} paid for May?",
        gold,
    )


def money_worked_backwards(draw: Draw) -> Draft:
    """The end is known: undo a gift, a purchase and a halving, in that order."""
    who, giver = draw.person(), draw.one_of(("grandmother", "uncle", "neighbor", "godmother"))
    half, bought, gift = draw.integer(30, 70), draw.integer(8, 20), draw.integer(5, 15)
    end = half - bought + gift
    work = Working()
    x = work.step("Before the gift there were", f"{end}-{gift}", end - gift, sign="$")
    y = work.step("Before the purchase there were", f"{x}+{bought}", x + bought, sign="$")
    gold = work.step("This was half of the money, so at first there were", f"{y}*2", y * 2, sign="$")
    return work.finish(
        f"{who.name} spent half of {who.possessive} money on a train ticket and then ${bought} on lunch. Later that "
        f"day {who.possessive} {giver} gave {who.object} ${gift}, and now {who.subject} has ${end}. How many dollars "
        f"did {who.name} have before buying the ticket?",
        gold,
    )


def profit_after_spoilage(draw: Draw) -> Draft:
    """Bought by the crate, some spoiled, the rest sold by the piece: income less cost. Thousands."""
    who, fruit = draw.person(), draw.one_of(("papaya", "pomegranate", "mango", "grapefruit"))
    crates, each, cost = draw.integer(20, 40), draw.integer(24, 36, 4), draw.integer(30, 45)
    spoiled, price = draw.integer(15, 60), draw.integer(3, 5)
    work = Working(grouped=True)
    paid = work.step("The crates cost", f"{crates}*{cost}", crates * cost, sign="$")
    pieces = work.step("They hold", f"{crates}*{each}", crates * each, plural(fruit))
    good = work.step("Of these", f"{pieces}-{spoiled}", pieces - spoiled, "can be sold")
    income = work.step("They bring in", f"{good}*{price}", good * price, sign="$")
    gold = work.step("The profit is", f"{income}-{paid}", income - paid, sign="$")
    return work.finish(
        f"{who.name}, a fruit seller in {draw.place()}, buys {count(crates, 'crate')} of {plural(fruit)} at ${cost} "
        f"a crate. Each crate holds {count(each, fruit)}. Of the {plural(fruit)}, {spoiled} spoil, and {who.subject} "
        f"sells all the others at ${price} each. How many dollars of profit does {who.subject} make?",
        gold,
    )


def family_pass_saving(draw: Draw) -> Draft:
    """Single tickets against a pass: how much the pass saves."""
    place = draw.one_of(("an aquarium", "a castle", "a science museum", "a botanical garden", "a water park"))
    adults, children = draw.integer(2, 4), draw.integer(3, 6)
    full, child = draw.integer(16, 25), draw.integer(8, 13)
    single = adults * full + children * child
    total_pass = single - draw.integer(9, 25)
    work = Working()
    x = work.step("Tickets for the adults cost", f"{adults}*{full}", adults * full, sign="$")
    y = work.step("Tickets for the children cost", f"{children}*{child}", children * child, sign="$")
    z = work.step("All the single tickets cost", f"{x}+{y}", single, sign="$")
    gold = work.step("The pass saves", f"{z}-{total_pass}", single - total_pass, sign="$")
    return work.finish(
        f"At {place}, a ticket costs ${full} for an adult and ${child} for a child. A group pass for up to 10 people "
        f"costs ${total_pass}. How many dollars do {count(adults, 'adult')} and {children} children save by buying "
        f"one group pass instead of single tickets?",
        gold,
    )


def extra_cost_of_instalments(draw: Draw) -> Draft:
    """A deposit and monthly payments against the price in cash. Thousands."""
    who, thing = draw.person(), draw.one_of(("motorbike", "piano", "used van", "fishing boat"))
    deposit, monthly, months = draw.integer(400, 900, 50), draw.integer(110, 190, 5), draw.integer(18, 36, 6)
    total = deposit + monthly * months
    cash = total - draw.integer(210, 640, 10)
    work = Working(grouped=True)
    x = work.step("The monthly payments add up to", f"{monthly}*{months}", monthly * months, sign="$")
    y = work.step("With the deposit that is", f"{x}+{deposit}", total, sign="$")
    gold = work.step("Paying this way costs", f"{y}-{cash}", total - cash, "more", sign="$")
    return work.finish(
        f"A dealer in {draw.place()} sells a {thing} for ${cash:,} in cash. {who.name} instead pays a deposit of "
        f"${deposit} and then ${monthly} a month for {months} months. How many dollars more than the cash price does "
        f"{who.name} pay in total?",
        gold,
    )


def cheaper_pack(draw: Draw) -> Draft:
    """Two packs reduced to a price per piece; the difference times the number wanted."""
    who, thing = draw.person(), draw.one_of(("candle", "notebook", "paintbrush", "light bulb", "photo frame"))
    small, large = draw.integer(4, 6), draw.integer(8, 12)
    low, gap = draw.integer(2, 4), draw.integer(1, 3)
    wanted = small * large * draw.integer(1, 3)
    work = Working()
    x = work.step("In the first shop one costs", f"{small * (low + gap)}/{small}", low + gap, sign="$")
    y = work.step("In the second shop one costs", f"{large * low}/{large}", low, sign="$")
    z = work.step("The difference for each is", f"{x}-{y}", gap, sign="$")
    gold = work.step(f"For {count(wanted, thing)} that makes", f"{wanted}*{z}", wanted * gap, sign="$")
    return work.finish(
        f"One shop sells {plural(thing)} in packs of {small} for ${small * (low + gap)}. Another sells the same "
        f"{plural(thing)} in packs of {large} for ${large * low}. {who.name} needs exactly {count(wanted, thing)}. "
        f"How many dollars does {who.subject} save by buying all of them in the cheaper shop instead of the other "
        f"one?",
        gold,
    )


def matched_collection(draw: Draw) -> Draft:
    """Gifts, raised by a percentage, reduced by a fee, shared equally. Thousands on the way."""
    cause = draw.one_of(("animal shelter", "village library", "lifeboat station", "community kitchen"))
    shares, givers = draw.integer(2, 5), draw.integer(20, 60, 10)
    each, percent = draw.integer(20, 50, 10), draw.one_of((20, 25, 50))
    gifts = givers * each
    added = gifts * percent // 100
    fee = 10 + (gifts + added - 10) % shares
    work = Working(grouped=True)
    x = work.step("The runners collect", f"{givers}*{each}", gifts, sign="$")
    y = work.step("The bank adds", f"{x}*{percent}/100", added, sign="$")
    z = work.step("Together that is", f"{x}+{y}", gifts + added, sign="$")
    rest = work.step("After the fee there are", f"{z}-{fee}", z - fee, "left", sign="$")
    gold = work.step(f"Each {cause} gets", f"{rest}/{shares}", rest // shares, sign="$")
    return work.finish(
        f"At a charity run in {draw.place()}, {givers} runners collect ${each} each. A bank adds {percent}% of what "
        f"they collected. From the whole sum a fee of ${fee} is paid for the permit, and the rest is divided equally "
        f"among {shares} {plural(cause)}. How many dollars does each {cause} get?",
        gold,
    )


def jobs_compared(draw: Draw) -> Draft:
    """Weekly pay after costs in two jobs, with different days, hours and fares: how much more one leaves. Six steps."""
    who = draw.person()
    near, far = draw.some_of(("bakery", "hotel", "printing house", "plant nursery", "boatyard"), 2)
    h1, h2, days, fare = draw.integer(5, 6), draw.integer(7, 8), draw.integer(4, 5), draw.integer(4, 9)
    p1, p2 = draw.integer(13, 15), draw.integer(17, 20)
    work = Working()
    x = work.step(f"A day at the {near} pays", f"{h1}*{p1}", h1 * p1, sign="$")
    x_week = work.step("In a week that makes", f"{x}*{days}", x * days, sign="$")
    y = work.step(f"A day at the {far} pays", f"{h2}*{p2}", h2 * p2, sign="$")
    left = work.step("After the fare that leaves", f"{y}-{fare}", y - fare, sign="$")
    y_week = work.step("In a week that makes", f"{left}*{days}", left * days, sign="$")
    gold = work.step("The difference is", f"{y_week}-{x_week}", y_week - x_week, sign="$")
    return work.finish(
        f"{who.name} can work {days} days a week at either of two places. A {near} next door pays ${p1} an hour for "
        f"{h1} hours a day. A {far} across town pays ${p2} an hour for {h2} hours a day, but the fare there and back "
        f"costs {who.object} ${fare} on each working day. How many dollars a week more does the {far} leave "
        f"{who.object} after the fares than the {near} does?",
        gold,
    )


MONEY = (
    change_from_a_note,
    discount_then_delivery,
    first_hours_dearer,
    weeks_to_a_goal,
    pay_with_commission,
    money_worked_backwards,
    profit_after_spoilage,
    family_pass_saving,
    extra_cost_of_instalments,
    cheaper_pack,
    matched_collection,
    jobs_compared,
)
