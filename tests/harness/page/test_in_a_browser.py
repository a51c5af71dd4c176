"""The page in a real browser: the replay steps through a game, at the width of a desk and of a phone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("chromium") or not shutil.which("chromedriver"), reason="needs Chromium"),
]
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
    link = browser.find_element("css selector", 'p a[href^="#"]')
    wanted = link.get_attribute("href").rpartition("/")[2]
    link.click()
    browser.find_element("css selector", "#told .attempt")
    assert text(browser, "place").startswith(f"{wanted} / ")


def test_no_name_runs_as_a_script(browser: Any) -> None:
    assert "</script><script>alert(1)" in browser.find_element("tag name", "body").text
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", [390, 1000])
def test_nothing_sticks_out_of_the_window(browser: Any, width: int) -> None:
    browser.set_window_size(width, 900)
    assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
