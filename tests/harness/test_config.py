from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from harness.budget import Caps
from harness.config import load_tournament, make_tournament
from harness.data import names
from harness.errors import UserError
from harness.providers.prices import UnitPrices
from harness.schedule import make_schedule

GOOD = """
name = "mine"
round_limit = 20

[[entrants]]
agent = "random"

[[entrants]]
name = "second"
agent = "random"
"""


def load(tmp_path: Path, text: str, **overrides: object) -> object:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return load_tournament(path, **overrides)


def test_defaults_and_overrides(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    tournament = load_tournament(path, name=None, seed=9)
    assert tournament.name == "mine"
    assert tournament.seed == 9
    assert tournament.match_settings.attempts == 3
    assert tournament.match_settings.round_limit == 20
    assert [entrant.name for entrant in tournament.entrants] == ["random", "second"]
    assert load_tournament(path, name="other").name == "other"
    assert make_tournament(tournament.model_dump(mode="json"), "again") == tournament


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "is not valid TOML"),
        (f"seed = {'9' * 5000}", "holds a whole number of too many digits"),
        (f"{'.'.join('a' * 1500)} = 1", "is nested too deeply"),
        (GOOD.replace('name = "mine"\n', ""), "the key 'name' is missing"),
        (GOOD.replace('"mine"', '"a/b"'), "name must be letters, digits"),
        (GOOD.replace("round_limit", "round_limt"), "did you mean 'round_limit'"),
        (GOOD.replace("round_limit = 20", "round_limit = 0"), "round_limit must be greater than or equal to 1, not 0"),
        (GOOD.replace("round_limit = 20", 'round_limit = "20"'), "round_limit must be a valid integer, not '20'"),
        (
            GOOD.replace("round_limit = 20", 'policy = "skip"'),
            "policy must be one of 'random_legal', 'forfeit' or 'void'",
        ),
        (GOOD.replace("round_limit = 20", 'variant = "solo"'), "variant must be one of 'standard' or 'tournament'"),
        (GOOD.replace("round_limit = 20", 'start = "E"'), "start must be one of"),
        (GOOD.replace("round_limit = 20", 'start = "C"'), "sets and start: unknown start seat 'C': the seats are A, B"),
        (GOOD.replace("round_limit = 20", 'sets = ["macaws"]'), "2 players use 3 different sets"),
        (GOOD.replace("round_limit = 20", 'sets = ["macaws", "pandas", "owls"]'), "there is no set 'owls'; there are"),
        (GOOD.replace("round_limit = 20", "players = 3"), "3 players need at least 3 entrants, not 2"),
        (GOOD.replace('name = "second"', 'nmae = "second"'), "unknown key 'entrants[1].nmae'; did you mean 'name'?"),
        (GOOD.replace('name = "second"', 'name = "random"'), "two entrants are called 'random'"),
        (GOOD.replace('name = "second"', r'name = "a\u001b[31m"'), "entrants[1].name: must be printable"),
        (GOOD.replace('agent = "random"', 'agent = "rndom"', 1), "entrants[0].agent: unknown agent 'rndom'"),
        (GOOD.replace('agent = "random"', 'agent = "human"', 1), "a person plays with dale play"),
        (GOOD.replace('agent = "random"', "", 1), "the key 'entrants[0].agent' is missing"),
        (GOOD.replace("round_limit", "decision_limit").replace("20", "0"), "decision_limit must be greater than"),
        (GOOD + "[budget]\nrun = -1\n", "budget.run: must be a number of US dollars such as 2.50, not -1"),
        (GOOD + "[budget]\nrun = true\n", "budget.run: must be a number of US dollars"),
        (GOOD + "[budget]\nentrants = 1\n", "did you mean 'entrant'?; known here are: run, entrant, game"),
        (GOOD + "[prices.random]\ninput = 1\n", "prices.random: needs input and output"),
        (GOOD + "[prices.random]\nfree = true\ninput = 1\n", "prices.random: free = true stands alone"),
        (GOOD + "[prices.random]\ninput = 1\noutput = nan\n", "prices.random.output: must be a number"),
        (GOOD + "[prices.random]\nimput = 1\n", "unknown key 'prices.random.imput'; did you mean 'input'?"),
        (GOOD + '[prices."gpt"]\nfree = true\n', "prices.gpt: no entrant is called 'gpt' or plays that model"),
        (GOOD + '[schedule]\nkind = "swiss"\n', "schedule.kind must be one of"),
        (GOOD + "[schedule]\ndeal = 3\n", "did you mean 'deals'"),
        (GOOD + '[schedule]\nkind = "one_against_all"\nentrant = "x"\n', "no entrant is called 'x'; there are: random"),
        (GOOD + '[schedule]\nkind = "one_against_all"\n', "names the one that meets all others"),
        (GOOD + '[schedule]\nkind = "line_ups"\n', "lists the names at each table"),
        (GOOD + '[schedule]\nkind = "line_ups"\nline_ups = [["random"]]\n', "needs 2 different names"),
        (GOOD + '[schedule]\nkind = "line_ups"\nline_ups = [["random", "x"]]\n', "no entrant is called 'x'"),
        (GOOD + '[schedule]\nline_ups = ["random"]\n', "schedule.line_ups[0] must be a list, not 'random'"),
        (GOOD + '[schedule]\nrotate = "no"\n', "schedule.rotate must be true or false, not 'no'"),
        ("schedule = 3\n" + GOOD, "schedule must be a table [schedule], not 3"),
        ("budget = 5\n" + GOOD, "budget must be a table [budget], not 5"),
        ("prices = []\n" + GOOD, 'prices must be a table of tables such as [prices."NAME"], not []'),
        ("prices = {random = 3}\n" + GOOD, "prices.random must be a table [prices.random], not 3"),
        (GOOD + "[stop]\nmarign = 2\n", "unknown key 'stop.marign'; did you mean 'margin'?"),
        (GOOD + "[stop]\nmargin = inf\n", "stop.margin must be a finite number, not inf"),
        (GOOD + "[stop]\n[schedule]\nrotate = false\n", "needs two entrants, two players and rotate = true"),
        ('name = "mine"\nentrants = ["random"]\n', "entrants[0] must be a table begun by a line [[entrants]]"),
        ('name = "mine"\n[entrants]\nagent = "random"\n', "entrants must be a list of tables, each begun by a line [["),
        ('name = "mine"\nentrants = []\n', "2 players need at least 2 entrants, not 0"),
        (GOOD + '[[entrants]]\nagent = "merchant"\ncopies = 0\n', "entrants[2].copies must be greater than or equal"),
        (GOOD + 'copies = 2\n[[entrants]]\nagent = "random"\nname = "second (2)"\n', "are called 'second (2)'"),
        (GOOD.replace('"second"', f'"{"x" * 199}"') + "copies = 2\n", "a copy gets longer than 200 characters"),
        (GOOD + "[estimate.x]\noutput_tokens = 3\n", "estimate.x: no entrant is called 'x' or plays that model"),
        (
            GOOD + "[estimate.random]\noutput = 3\n",
            "unknown key 'estimate.random.output'; did you mean 'output_tokens'?",
        ),
        (GOOD + "[estimate.random]\ncached_tokens = 3\n", "cached_tokens are part of input_tokens"),
    ],
)
def test_every_error_names_file_key_and_what_would_be_right(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        load(tmp_path, text)
    sentence = str(caught.value)
    assert says in sentence
    assert "mine.toml" in sentence
    assert "\n" not in sentence
    assert sentence.endswith(".")


def test_budget_and_prices_are_exact_decimals(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD + '[budget]\nrun = 0.1\ngame = 2\n[prices.second]\ninput = 0.3\noutput = "1.10"\n')
    tournament = load_tournament(path)
    assert tournament.caps == Caps(Decimal("0.1"), None, Decimal(2))
    price = Decimal("0.3")
    assert tournament.unit_prices == {"second": UnitPrices(price, price, price, Decimal("1.1"))}
    assert make_tournament(tournament.model_dump(mode="json"), "again") == tournament
    more = tournament.with_budget("7")
    assert more.caps == Caps(Decimal(7), None, Decimal(2))
    assert tournament.with_budget(None) is tournament


def test_copies_of_an_agent_enter_under_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(GOOD + 'copies = 3\n[schedule]\nkind = "one_against_all"\nentrant = "second (2)"\n')
    tournament = load_tournament(path)
    assert [(one.name, one.agent, one.copies) for one in tournament.entrants] == [
        ("random", "random", 1), ("second", "random", 1), ("second (2)", "random", 1), ("second (3)", "random", 1),
    ]  # fmt: skip
    met = {tuple(sorted(plan.seats.values())) for plan in make_schedule(tournament)}
    assert met == {("random", "second (2)"), ("second", "second (2)"), ("second (2)", "second (3)")}
    assert make_tournament(tournament.model_dump(mode="json"), "again") == tournament


def test_a_whole_tournament_may_be_of_one_agent(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "control"\n[[entrants]]\nagent = "merchant"\ncopies = 2\n')
    assert [list(plan.seats.values()) for plan in make_schedule(load_tournament(path))] == [
        ["merchant", "merchant (2)"], ["merchant (2)", "merchant"],
    ]  # fmt: skip


def test_variant_start_and_sets_reach_every_game(tmp_path: Path) -> None:
    text = GOOD.replace("round_limit = 20", 'variant = "tournament"\nstart = "B"')
    path = tmp_path / "mine.toml"
    path.write_text(text)
    for plan in make_schedule(load_tournament(path)):
        game = plan.new_game()
        assert game.decision is not None
        assert (game.variant, game.decision.seat, game.decision.asks) == ("tournament", "B", "ban")
    path.write_text(text + "[schedule]\ndeals = 2\n")
    fixed = load_tournament(path, sets=["macaws", "pandas", "ocelots"])
    for plan in make_schedule(fixed):
        assert (plan.new_game().sets, plan.new_game().round) == (("macaws", "pandas", "ocelots"), 1)


def test_a_missing_file_and_bad_bytes(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot read the tournament file"):
        load_tournament(tmp_path / "none.toml")
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not a text file in UTF-8"):
        load_tournament(tmp_path / "mine.toml")


def test_shipped_tournaments_load_and_have_a_title() -> None:
    folder = Path(__file__).parents[2] / "tournaments"
    assert set(names("tournaments", ".toml")) >= {"quickstart", "scripted"}
    for path in folder.glob("*.toml"):
        tournament = load_tournament(path)
        assert tournament.name == path.stem
        assert tournament.title
        assert make_schedule(tournament)
