from forgetscope.mentions.plain import LONGEST_ROW, without_endless_rows


def test_only_what_repeats_itself_without_end_is_cut_and_what_follows_stays() -> None:
    reply = "First.\n" + "1 " * 20_000 + "\nIt was 18,400."
    assert without_endless_rows(reply) == "First.\n" + "1 " * (LONGEST_ROW // 2) + "\nIt was 18,400."


def test_long_prose_and_long_rules_stay_as_they_are() -> None:
    prose = "".join(f"Point {number}: the budget was {7 * number} crowns.\n" for number in range(2_000))
    assert without_endless_rows(prose) == prose
    ruled = ("-" * 3_000 + "\nA heading\n") * 5
    assert without_endless_rows(ruled) == ruled
