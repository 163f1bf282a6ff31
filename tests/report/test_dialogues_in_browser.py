"""Dialogues in a real browser: read in order, marked, side by side in one click, by keyboard, on a phone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forgetscope.core.results import build_table
from forgetscope.findings.figures import Browser
from forgetscope.report.page import render_page
from tests.browsing import Watched, watch
from tests.report.conversations import BROWSER, EXTRA, conversation, conversations, dialogue_chapter

pytestmark = pytest.mark.browser

HOSTILE = "</script><script>window.hit=1</script><img src=x onerror='window.hit=1'> \u202eOld Town\u202c"


def write_page(path: Path, table: Any, browser: Browser = BROWSER) -> Path:
    path.write_text(render_page((dialogue_chapter(table, browser),)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_page(tmp_path_factory.mktemp("dialogues") / "report.html", conversations(12))


@pytest.fixture
def opened(browser: Any, page_file: Path) -> Iterator[Watched]:
    yield from watch(browser, page_file, viewport={"width": 1280, "height": 900})


def only(browser: Any, tmp_path: Path, *rows: Any, **context: Any) -> Iterator[Watched]:
    yield from watch(browser, write_page(tmp_path / "report.html", build_table(rows, EXTRA)), **context)


def test_turns_are_read_in_order_with_the_names_of_their_parts(opened: Watched) -> None:
    page = opened.page
    page.get_by_role("button", name="Open invented/item-000/told/size=None", exact=True).click()
    turns = page.locator("dialog .turn")
    assert [text.split("\n")[0] for text in turns.locator(".part").all_inner_texts()] == [
        "Setting",
        "First part",
        "First part",
        "Second part",
        "Second part",
        "First part",
    ]
    assert "live answer of this model" in turns.nth(2).inner_text()
    colours = turns.evaluate_all("list => list.map((turn) => getComputedStyle(turn).borderLeftColor)")
    assert colours[1] == colours[2] == colours[5]
    assert len({colours[0], colours[1], colours[3]}) == 3


def test_facts_checks_choices_and_the_further_answer_are_shown(opened: Watched) -> None:
    page = opened.page
    page.get_by_role("button", name="Open invented/item-000/told/size=None", exact=True).click()
    text = page.locator("dialog .inside").inner_text()
    assert "Once more" in text
    assert "Are you sure?" in text
    assert page.locator("dialog .checklist li").all_inner_texts() == ["done\nBe short.", "not done\nBe kind."]
    assert page.locator("dialog .options li").all_inner_texts() == ["Tea the best", "Coffee chosen"]
    assert "as it is" in text
    assert "not in the page" not in page.content()


def test_wordings_are_marked_in_reply_reasoning_and_further_answer_and_said_in_words(
    browser: Any, tmp_path: Path
) -> None:
    sample = conversation(
        "a",
        "told",
        reply="OLD\n  town; old-town; Old Towns; O’ld ( town ).",
        reasoning="old town",
        again="a part of a city",
    )
    for watched in only(browser, tmp_path, sample):
        page = watched.page
        page.locator(".open").first.click()
        reply = page.locator("dialog pre[aria-label=Reply]")
        assert reply.locator("mark").all_inner_texts() == ["OLD\n  town", "O’ld ( town )"]
        below = page.locator("dialog pre[aria-label=Reply] + .note").inner_text()
        assert below.startswith("Marked: “OLD")
        assert "(the secret)" in below
        assert page.locator("dialog pre[aria-label=Reasoning] mark.strong").count() == 1
        assert page.locator("dialog details", has_text="Reasoning").first.get_attribute("open") is not None
        again = page.locator("dialog pre[aria-label='Once more']")
        assert again.locator("mark.weak").all_inner_texts() == ["part of a city"]
        assert page.locator("dialog .turn mark.weak", has_text="Old Town").count() == 1


def test_a_reply_without_any_wording_says_so(browser: Any, tmp_path: Path) -> None:
    for watched in only(browser, tmp_path, conversation("a", reply="Nowhere.")):
        watched.page.locator(".open").first.click()
        assert "none of the wordings stands here" in watched.page.locator("dialog").inner_text()


def test_all_conditions_of_an_item_stand_side_by_side_in_one_click(opened: Watched) -> None:
    page = opened.page
    page.get_by_role("button", name="Open invented/item-000/told/size=500", exact=True).click()
    page.get_by_role("button", name="Side by side").click()
    columns = page.locator("dialog .column")
    assert columns.locator(".column-head span:first-child").all_inner_texts() == ["Plain", "Told", "Told twice"]
    assert "opened" in columns.nth(1).locator(".column-head").inner_text()
    assert page.locator("dialog > .inside > .turns .turn").count() == 3  # what they share, once
    assert [columns.nth(place).locator(".turn").count() for place in range(3)] == [2, 3, 4]
    tops = page.locator("dialog .column pre[aria-label=Reply]").evaluate_all(
        "list => list.map((reply) => Math.round(reply.getBoundingClientRect().top))"
    )
    assert len(set(tops)) == 1
    boxes = columns.evaluate_all("list => list.map((column) => column.getBoundingClientRect().left)")
    assert boxes == sorted(boxes)
    assert page.get_by_role("button", name="Side by side").get_attribute("aria-pressed") == "true"
    page.get_by_role("button", name="Next", exact=True).click()
    assert "item-001/plain/size=None" in page.locator("dialog h3").inner_text()
    assert page.locator("dialog .column").count() == 3


def test_the_sample_opened_first_of_a_group_is_stepped_over_as_a_whole_backwards_too(opened: Watched) -> None:
    page = opened.page
    page.get_by_role("button", name="Open invented/item-001/plain/size=None", exact=True).click()
    page.get_by_role("button", name="Side by side").click()
    page.get_by_role("button", name="Previous", exact=True).click()
    assert "item-000/told twice/size=500" in page.locator("dialog h3").inner_text()
    page.get_by_role("button", name="Side by side").click()
    assert page.locator("dialog .column").count() == 0
    page.get_by_role("button", name="Previous", exact=True).click()
    assert "item-000/told/size=500" in page.locator("dialog h3").inner_text()


def test_a_sample_alone_in_its_group_says_that_there_is_nothing_beside_it(browser: Any, tmp_path: Path) -> None:
    for watched in only(browser, tmp_path, conversation("a"), conversation("b")):
        page = watched.page
        page.locator(".open").first.click()
        page.get_by_role("button", name="Side by side").click()
        assert "Nothing else of this item is in the run." in page.locator("dialog").inner_text()


def test_a_browser_that_puts_nothing_together_has_no_such_button(browser: Any, tmp_path: Path) -> None:
    path = write_page(tmp_path / "report.html", conversations(1), Browser((), parts=BROWSER.parts))
    for watched in watch(browser, path):
        watched.page.locator(".open").first.click()
        assert watched.page.get_by_role("button", name="Side by side").count() == 0


def test_values_have_the_names_given_and_their_order(opened: Watched) -> None:
    page = opened.page
    assert page.locator("select[data-filter=condition] option").all_inner_texts() == ["all", *NAMES_IN_ORDER]
    assert page.locator("select[data-filter=size] option").all_inner_texts() == ["all", "as it is", "500"]
    page.select_option("select[data-filter=size]", label="as it is")
    assert page.locator(".count").inner_text() == "1–36 of 36 samples"


NAMES_IN_ORDER = ["Plain", "Told", "Told twice"]


def test_further_answers_are_searched(opened: Watched) -> None:
    page = opened.page
    page.fill("input[type=search]", "in a part of")
    page.get_by_text("1–48 of 48 samples").wait_for()


def test_it_works_by_keyboard_alone(opened: Watched) -> None:
    page = opened.page
    page.locator(".open").nth(1).focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "H3"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Side by side"
    page.keyboard.press("Enter")
    assert page.locator("dialog .column").count() == 3
    assert page.evaluate("document.activeElement.textContent") == "Side by side"
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0


def test_a_screen_reader_is_told_what_is_what(opened: Watched) -> None:
    page = opened.page
    page.locator(".open").nth(1).click()
    page.get_by_role("button", name="Side by side").click()
    assert page.get_by_role("region", name="Told twice").count() == 1
    assert page.get_by_role("list", name="The same in all of them").count() == 1
    assert page.get_by_role("list", name="Wishes").count() == 3
    marks = page.locator("dialog mark").evaluate_all("list => list.every((mark) => mark.title)")
    assert marks is True


def test_on_a_phone_columns_stand_one_below_the_other(browser: Any, page_file: Path) -> None:
    for watched in watch(browser, page_file, viewport={"width": 390, "height": 844}):
        page = watched.page
        page.locator(".open").nth(1).click()
        page.get_by_role("button", name="Side by side").click()
        boxes = page.locator("dialog .column").evaluate_all(
            "list => list.map((column) => [column.getBoundingClientRect().left, column.getBoundingClientRect().top])"
        )
        assert len({left for left, _ in boxes}) == 1
        assert [top for _, top in boxes] == sorted(top for _, top in boxes)
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_of_a_dialogue_stands_out_in_light_and_dark(browser: Any, page_file: Path, scheme: str) -> None:
    for watched in watch(browser, page_file, color_scheme=scheme):
        page = watched.page
        page.locator(".open").nth(1).click()
        page.get_by_role("button", name="Side by side").click()
        contrast = page.evaluate(
            """() => {
                const light = (text) => {
                  const [r, g, b] = text.match(/[\\d.]+/g).map(Number).map((c) => c / 255)
                    .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const behind = (element) => {
                  for (let at = element; at; at = at.parentElement) {
                    const colour = getComputedStyle(at).backgroundColor;
                    if (!/, 0\\)$/.test(colour) && colour !== "transparent") return colour;
                  }
                };
                const texts = "dialog :is(p, span, div.said, li, pre, mark, dt, dd, h4, button)";
                return [...document.querySelectorAll(texts)]
                  .filter((element) => element.checkVisibility() && !element.disabled
                    && [...element.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
                  .map((element) => {
                    const front = light(getComputedStyle(element).color);
                    const back = light(behind(element));
                    return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
                  });
            }"""
        )
        assert len(contrast) > 50
        assert min(contrast) >= 4.5


def test_hostile_texts_are_shown_as_text_wherever_they_stand(browser: Any, tmp_path: Path) -> None:
    rows = [
        conversation(
            "a",
            condition,
            reply=HOSTILE,
            reasoning=HOSTILE,
            live=HOSTILE,
            secret=[HOSTILE, "(", "\\", "[a-", "*", " "],
            hint=HOSTILE,
            again=HOSTILE,
            again_asked=HOSTILE,
            wished=[HOSTILE],
            offered=[HOSTILE, HOSTILE],
        )
        for condition in ("plain", "told")
    ]
    for watched in only(browser, tmp_path, *rows):
        page = watched.page
        page.locator(".open").first.click()
        assert page.locator("dialog pre[aria-label=Reply]").inner_text() == HOSTILE.replace("\u202e", "U+202E").replace(
            "\u202c", "U+202C"
        )
        page.get_by_role("button", name="Side by side").click()
        assert page.locator("dialog img, dialog script").count() == 0
        assert page.locator("dialog mark").count() > 0


def test_more_samples_than_wished_than_done_or_none_at_all_break_nothing(browser: Any, tmp_path: Path) -> None:
    rows = [
        conversation("a", done=[True, None, False], wished=["one"], taken=None, offered=[]),
        conversation("b", done=[], wished=["one"], taken=None, reply="", messages="not json"),
    ]
    for watched in only(browser, tmp_path, *rows):
        page = watched.page
        page.locator(".open").first.click()
        assert page.locator("dialog .checklist li").all_inner_texts() == ["done\none", "not judged\n2", "not done\n3"]
        page.get_by_role("button", name="Next", exact=True).click()
        assert "The reply chooses none of them that can be read." in page.locator("dialog").inner_text()
        assert "not json" in page.locator("dialog").inner_text()


def test_an_exported_sample_has_parts_verdicts_and_the_further_answer(opened: Watched, tmp_path: Path) -> None:
    page = opened.page
    page.locator(".open").nth(1).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export").click()
    download.value.save_as(tmp_path / "sample.json")
    exported = json.loads((tmp_path / "sample.json").read_text(encoding="utf-8"))
    assert exported["messages"][2] == {"role": "assistant", "content": "A live answer.", "part": "A", "live": True}
    assert exported["verdict"]["again"] == "In a part of a city."
    assert exported["verdict"]["done"] == [True, False]


def test_folded_tables_open_by_click_and_are_printed(opened: Watched) -> None:
    page = opened.page
    fold = page.locator("details.fold")
    assert not fold.locator("table").is_visible()
    assert fold.locator("summary").inner_text() == "Every cell (1 row)"
    page.emulate_media(media="print")
    assert fold.locator("table").is_visible()
    page.emulate_media(media="screen")
    fold.locator("summary").click()
    assert fold.locator("table").is_visible()
