"""The page in a real browser: the replay steps through a game, at the width of a desk and of a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.page import picture

webdriver = pytest.importorskip("selenium.webdriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium") or not shutil.which("chromedriver"), reason="needs Chromium"),
]
CONTRAST = """
const colour = (text) => { const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a ?? 1]; };
const light = (c) => { const f = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]); };
const node = document.querySelector(arguments[0]);
const layers = [];
for (let at = node; at; at = at.parentElement) layers.push(colour(getComputedStyle(at).backgroundColor));
const back = layers.reverse().reduce((below, c) => below.map((v, i) => v * (1 - c[3]) + c[i] * c[3]), [255, 255, 255]);
const one = light(colour(getComputedStyle(node).color)), other = light(back);
return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
"""
"""The contrast of an element's text against what lies behind it, as WCAG counts it."""
SWITCHES = "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking"


@pytest.fixture(scope="module")
def browser(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    path = tmp_path_factory.mktemp("page") / "page.html"
    path.write_text(page, encoding="utf-8")
    options = webdriver.ChromeOptions()
    for switch in SWITCHES.split():
        options.add_argument(switch)
    options.binary_location = shutil.which("chromium")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    driver.implicitly_wait(5)
    driver.get(path.as_uri())
    yield driver
    driver.quit()


def text(browser: Any, name: str) -> str:
    return str(browser.find_element("id", name).text)


def test_the_replay_opens_on_the_deal(browser: Any) -> None:
    browser.find_element("css selector", "#table .card")
    assert text(browser, "told") == "The deal"
    assert "Market, with costs" in text(browser, "table")


def test_its_buttons_step_through_the_game(browser: Any) -> None:
    browser.find_element("id", "first").click()
    browser.find_element("id", "next").click()
    assert text(browser, "place").startswith("1 / ")
    assert text(browser, "told").startswith("Round 1, ")
    browser.find_element("id", "back").click()
    assert text(browser, "place").startswith("0 / ")
    browser.find_element("id", "last").click()
    at, _, last = text(browser, "place").partition(" / ")
    assert at == last


def test_it_jumps_to_illegal_attempts(browser: Any) -> None:
    browser.find_element("id", "first").click()
    browser.find_element("id", "later").click()
    assert "Not accepted (rule, " in text(browser, "told")


def test_an_example_leads_to_its_decision(browser: Any) -> None:
    link = browser.find_element("css selector", 'article a[href^="#"]')
    wanted = link.get_attribute("href").rpartition("/")[2]
    link.click()
    browser.find_element("css selector", "#told .attempt")
    assert text(browser, "place").startswith(f"{wanted} / ")


def test_no_name_runs_as_a_script(browser: Any) -> None:
    assert "</script><script>alert(1)" in browser.find_element("tag name", "body").text
    assert browser.get_log("browser") == []


def test_a_link_to_a_part_of_the_page_leaves_the_game_where_it_is(browser: Any) -> None:
    browser.find_element("id", "first").click()
    browser.find_element("id", "next").click()
    browser.find_element("css selector", 'nav a[href="#following"]').click()
    assert text(browser, "place").startswith("1 / ")
    assert browser.execute_script("return document.getElementById('following').getBoundingClientRect().top") < 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read_in_the_light_and_in_the_dark(browser: Any, scheme: str) -> None:
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    for name in ("h1", "small", ".note", "td.won", "td.broken", "blockquote", "nav a", ".row .value"):
        assert browser.execute_script(CONTRAST, name) >= 4.5, name


def test_the_upper_part_becomes_a_picture(page: str, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(page, encoding="utf-8")
    picture.take(tmp_path / "page.html", tmp_path / "page.png", 800, 600)
    data = (tmp_path / "page.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    assert (int.from_bytes(data[16:20]), int.from_bytes(data[20:24])) == (800, 600)
    assert 10_000 < len(data) < 400_000


@pytest.mark.parametrize("width", [390, 1000])
def test_nothing_sticks_out_of_the_window(browser: Any, width: int) -> None:
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    for closed in browser.find_elements("css selector", "details:not([open]) > summary"):
        closed.click()
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
