"""The page of a run: one file with everything in it, and nothing in it that a player's name or answer can break."""

from __future__ import annotations

import base64
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from talker import played

from harness.log import GameLog, read_log
from harness.page.build import build_page
from harness.page.games import game_data
from harness.report import read_logs


class Elements(HTMLParser):
    """The tags of a page, with their attributes, and the text of its scripts by id."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.scripts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "line", "circle", "input", "br", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts[str(self.tags[-1][1].get("id"))] = data


def test_the_page_is_whole_and_asks_for_nothing_outside(page: str) -> None:
    found = Elements(page)
    assert found.open == []
    assert not [attrs for _, attrs in found.tags if "src" in attrs or str(attrs.get("href", "#"))[:1] != "#"]
    assert not re.search(r"https?://", page)
    assert "default-src 'none'" in page


def test_names_and_answers_are_shown_as_text(page: str) -> None:
    assert "<script>alert" not in page
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in page
    assert len([tag for tag, _ in Elements(page).tags if tag == "script"]) == 1 + 12


def test_every_game_can_be_unpacked_and_replays_to_its_end(page: str, logs: list[GameLog]) -> None:
    scripts = Elements(page).scripts
    for log in logs:
        packed = scripts[f"game-{log.header.game}"]
        game = json.loads(gzip.decompress(base64.b64decode(packed)))
        assert game == game_data(log, "en")
        assert [step.get("number") for step in game["steps"]] == [None, *(one.number for one in log.decisions)]


def test_a_step_shows_what_failed_before_it_and_the_table_behind_it(logs: list[GameLog]) -> None:
    log = next(log for log in logs if any(one.result == "rule" for one in log.attempts))
    game: dict[str, Any] = game_data(log, "en")
    failed = [(one.number, one.code) for one in log.attempts if one.result == "rule"]
    shown = [(step["number"], one["code"]) for step in game["steps"] for one in step["attempts"]]
    assert shown == failed
    first = game["steps"][0]["table"]
    assert len(first["market"]) == 5
    assert [len(seat["hand"]) for seat in first["seats"].values()] == [5, 5]
    stacks = {seat: len(own["stall"]) for seat, own in game["steps"][-1]["table"]["seats"].items()}
    assert log.outcome is not None
    assert stacks == log.outcome.stacks


def test_examples_lead_to_their_decision(page: str, logs: list[GameLog]) -> None:
    links = re.findall(r'href="#([^"/]+)/(\d+)"', page)
    assert links
    for name, step in links:
        log = next(log for log in logs if log.header.game == name)
        assert any(one.number == int(step) - 1 and one.result == "rule" for one in log.attempts)


def section(page: str, name: str) -> str:
    return page.partition(f'<section aria-labelledby="{name}">')[2].partition("</section>")[0]


def test_every_entrant_stands_in_the_standings(page: str) -> None:
    rows = section(page, "standings").partition("</table>")[0]
    assert rows.count('<tr><th scope="row">') == 3


def test_rule_following_is_told_of_every_entrant_with_its_recovery(page: str) -> None:
    told = section(page, "following")
    assert told.count('<div class="row">') == 3
    assert "put right by<br>2nd try" in told
    assert "Recovery by what was wrong" in told
    assert "Tokens, cost and time" not in told  # nobody called a model


def test_a_models_tokens_cost_and_time_are_told(tmp_path: Path) -> None:
    page = build_page(read_logs(played(tmp_path)))
    told = section(page, "following")
    costs = told.partition("Tokens, cost and time")[2]
    assert "<small>" in costs
    assert '<th scope="row">talker</th>' in costs
    assert "sloppy" not in costs
    Elements(page)


def test_who_ranked_above_whom_is_told_for_every_pair(page: str) -> None:
    assert section(page, "standings").count('class="cell won"') == 6


def test_every_table_can_be_scrolled_and_has_a_name(page: str) -> None:
    regions = [attrs for tag, attrs in Elements(page).tags if tag == "div" and attrs.get("class") == "wide"]
    assert len(regions) == page.count("<table>")
    assert all(one.get("aria-label") and one.get("tabindex") == "0" for one in regions)


def test_links_within_the_page_lead_somewhere(page: str) -> None:
    found = Elements(page).tags
    names = {attrs["id"] for _, attrs in found if "id" in attrs}
    links = [str(attrs["href"])[1:] for tag, attrs in found if tag == "a"]
    assert {link for link in links if "/" not in link} == {
        "standings", "following", "rules", "worst", "replay", "settings",
    }  # fmt: skip
    assert all(link in names for link in links if "/" not in link)


def test_the_same_logs_give_the_same_page(page: str, logs: list[GameLog]) -> None:
    assert build_page(logs) == page


def test_games_are_told_in_another_language(logs: list[GameLog]) -> None:
    told = game_data(logs[0], "pt-BR")
    assert told["steps"][0]["told"] == "A distribuição inicial"
    assert told["steps"][1]["told"] != game_data(logs[0], "en")["steps"][1]["told"]


def test_an_open_game_shows_what_was_tried_last(logs: list[GameLog], tmp_path: Path) -> None:
    log = next(log for log in logs if any(one.result == "rule" for one in log.attempts))
    lines = log.path.read_text().splitlines(keepends=True)
    cut = next(place for place, line in enumerate(lines) if '"class":"rule"' in line) + 1
    path = tmp_path / "open.jsonl"
    path.write_text("".join(lines[:cut]))
    last = game_data(read_log(path), "en")["steps"][-1]
    assert (last["told"], len(last["attempts"])) == ("The decision that is open", 1)
    assert "table" in last
