from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from harness.cli import main, run
from harness.log import read_log

TOML = """
name = "tiny"
round_limit = 2

[[entrants]]
agent = "random"

[[entrants]]
name = "other"
agent = "random"
"""


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tiny.toml").write_text(TOML)


def dale(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    """Run a command line; returns its output, or the complaint for code 2."""
    assert run(arguments) == code
    captured = capsys.readouterr()
    if code == 2:
        assert captured.out == ""
        assert captured.err.startswith("dale: ")
        assert captured.err.count("\n") == 1
        assert "Traceback" not in captured.err
        return captured.err
    assert captured.err == ""
    return captured.out


def test_dale_alone_says_what_to_try_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert "dale quickstart" in dale(capsys)


@pytest.mark.parametrize(
    "command",
    [
        "", "quickstart", "tournament", "tournament run", "tournament plan", "tournament list", "replay", "report",
        "play", "agents", "rules", "rules coverage", "cards", "scenario", "scenario check", "models", "models fetch",
        "models probe", "bench", "export",
    ],
)  # fmt: skip
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], command: str) -> None:
    text = dale(capsys, *command.split(), "--help")
    assert f"Usage: dale {command}".rstrip() in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    version = tomllib.loads(pyproject.read_text())["project"]["version"]
    assert dale(capsys, "--version").startswith(f"dale-arena {version}, ")


def test_a_run_is_played_reported_and_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    out = dale(capsys, "tournament", "run", "tiny.toml")
    assert "d001-p01-r1: other against random: unfinished after 2 rounds, stacks " in out
    assert "[2/2] d001-p01-r" in out
    assert "Outcomes" in out
    assert "2 of 2 games are finished" in out
    game = Path("results/tiny/games/d001-p01-r0.jsonl")
    assert f"dale replay {game}" in out
    assert "Outcomes" in dale(capsys, "report", "tiny")
    assert "Rule following" not in dale(capsys, "report", "tiny")
    assert "Rule following" in dale(capsys, "report", "tiny", "--following")
    data = json.loads(dale(capsys, "report", "results/tiny", "--json"))
    assert [row["games"] for row in data["entrants"]] == [2, 2]
    assert {one["figure"] for one in data["following"]["figures"]} == {"first_try", "first_try_strict", "by_policy"}
    assert [one["own_moves"]["value"] for one in data["skill_given_compliance"]] == [1, 1]
    assert "replays to the same events" in dale(capsys, "replay", str(game))
    assert len(dale(capsys, "replay", str(game), "--check").splitlines()) == 1
    lines = game.read_text().splitlines()
    lines[-1] = lines[-1].replace('"winner":null', '"winner":"A"')
    game.write_text("\n".join(lines) + "\n")
    assert "DIFFERENT: outcome: winner" in dale(capsys, "replay", str(game), code=1)


def test_an_existing_run_is_refused_and_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    dale(capsys, "tournament", "run", "tiny.toml")
    assert "exists already: add --resume" in dale(capsys, "tournament", "run", "tiny.toml", code=2)
    games = sorted(Path("results/tiny/games").glob("*.jsonl"))
    whole = [[record.model_dump(exclude={"timing"}) for record in read_log(path).records] for path in games]
    games[0].write_bytes(games[0].read_bytes()[:-40])
    games[1].unlink()
    assert "2 of 2 games are finished" in dale(capsys, "tournament", "run", "tiny.toml", "--resume")
    assert [[record.model_dump(exclude={"timing"}) for record in read_log(path).records] for path in games] == whole
    assert "seed is 1 there and 5 now" in dale(
        capsys, "tournament", "run", "tiny.toml", "--resume", "--seed", "5", code=2
    )
    dale(capsys, "tournament", "run", "tiny.toml", "--seed", "5", "--name", "second", "--results", "elsewhere")
    assert Path("elsewhere/second/run.json").is_file()


def test_shipped_tournaments_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out = dale(capsys, "tournament", "list")
    assert "quickstart" in out
    assert "scripted" in out


def test_agents_lists_every_kind_and_option(capsys: pytest.CaptureFixture[str]) -> None:
    out = dale(capsys, "agents")
    for form in ("random", "merchant", "sloppy:RATE", "openai:MODEL", "compat:MODEL@BASE_URL", "local", "replay:FILE"):
        assert f"\n{form}\n" in f"\n{out}"
    assert "?level=L0|L1|L2" in out
    assert "?output_mode=tools|json_schema|json_object|text" in out
    assert "?api=responses|chat" in out


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["tournament", "run", "nothing"], "there is no file 'nothing' and no tournament of that name; there are: "),
        (["tournament", "run", "broken.toml"], "is not valid TOML"),
        (["tournament", "plan", "deep.toml"], "deep.toml is nested too deeply"),
        (["tournament", "plan", "tiny.toml", "--seconds-per-call", "inf"], "--seconds-per-call"),
        (["tournament", "plan", "tiny.toml", "--seconds-per-call", "nan", "--json"], "--seconds-per-call"),
        (["tournament", "plan", "tiny.toml", "--seconds-per-call", "1e300"], "--seconds-per-call"),
        (["tournament", "plan", "endless.toml"], "seconds_per_call"),
        (["tournament", "run", "unknown.toml"], "unknown agent 'rndom' in 'rndom'; did you mean 'random'?"),
        (["replay", "nothing.jsonl"], "cannot read the game log nothing.jsonl"),
        (["replay", "tiny.toml"], "tiny.toml, line"),
        (["report", "nothing"], "nothing"),
        (["play", "--against", "nobody"], "unknown agent 'nobody'"),
        (["play", "--against", "random", "--seat", "3"], "--seat 3 is beyond the table"),
        (["play", "--against", "random", "--people", "4"], "5 players are too many"),
        (["play", "--against", "human", "--people", "2"], "leave --against human out"),
        (["play", "--against", "human?level=L3"], "--against human takes no options"),
        (["play", "--people", "2", "--as", "Ana"], "--as names 1 of 2 people"),
        (["play", "--people", "2", "--seat", "1"], "--seat is the place of one person"),
        (["play", "--as", "merchant"], "two entrants are called 'merchant'"),
        (["play", "--level", "L6"], "--level must be one of L0, L1, L2, L3, L4, L5, not 'L6'"),
        (["play", "play-1"], "dale play --resume play-1 goes on with the game of that name"),
        (["play", "--resume"], "there is no game in results to go on with"),
        (["play", "--tutorial", "--seed", "3"], "--tutorial is a game of its own"),
        (["play", "--sets", "owls,macaws,pandas"], "there is no set 'owls'"),
        (["play", "--variant", "solo"], "variant must be one of 'standard' or 'tournament'"),
        (["play", "--start", "D"], "unknown start seat 'D': the seats are A, B"),
        (["play", "--resume", "play-1", "--start", "A"], "leave out all other options"),
        (["play", "--resume", "nothing"], "is not a run"),
        (["play", "--resume", "play-1", "--seed", "2"], "leave out all other options"),
        (["tournament", "run", "keyless.toml"], "OPENAI_API_KEY"),
        (["rules", "R-XYZ-99"], "R-XYZ-99"),
        (["cards", "owls"], "there is no set 'owls'"),
        (["dance"], "No such command 'dance'"),
        (["report"], "Missing argument"),
        (["report", "--jsno", "x"], "--jsno"),
    ],
)
def test_wrong_use_gives_one_sentence_and_code_2(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: list[str], says: str
) -> None:
    Path("broken.toml").write_text("name = ")
    Path("deep.toml").write_text(f"x = {'[' * 3000}")
    Path("endless.toml").write_text(f"{TOML}[estimate.m]\nseconds_per_call = inf\n")
    Path("unknown.toml").write_text(TOML.replace('agent = "random"', 'agent = "rndom"', 1))
    Path("keyless.toml").write_text(TOML.replace('agent = "random"', 'agent = "openai:m"', 1))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert says in dale(capsys, *command, code=2)
    assert not Path("results").exists()


SCENARIO = """
name: nothing
rules: [R-INV-02]
edition: classic
players: 2
sets: [macaws, pandas, raccoons]
state: {A: {hand: [junk]}}
steps:
  - seat: A
    propose: {tool: inventory, arguments: {cards: []}}
    expect: {accepted: true}
"""


def test_scenarios_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("good.yaml").write_text(SCENARIO)
    Path("bad.yaml").write_text(SCENARIO.replace("accepted: true", "violation: pass_not_allowed"))
    Path("broken.yaml").write_text(SCENARIO.replace("hand: [junk]", "hand: [jnuk]"))
    assert "1 of 1 scenarios" in dale(capsys, "scenario", "check", "good.yaml")
    assert "bad.yaml: nothing: step 1" in dale(capsys, "scenario", "check", "bad.yaml", "good.yaml", code=1)
    assert "jnuk" in dale(capsys, "scenario", "check", "broken.yaml", code=2)
    assert "nowhere" in dale(capsys, "scenario", "check", "nowhere", code=2)


def test_rules_and_cards(capsys: pytest.CaptureFixture[str]) -> None:
    assert "R-MKT-07" in dale(capsys, "rules", "R-MKT-07")
    assert "bonus" in dale(capsys, "rules", "bonus", "action")
    assert "Sections of the rules" in dale(capsys, "rules")
    cards = dale(capsys, "cards", "macaws")
    assert "spyglass" in cards
    assert "raccoons" not in cards


def test_play_works_through_pipes_ends_at_the_end_of_input_and_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n0\n"))
    out = dale(capsys, "play", "--against", "random", "--seed", "3")
    assert "dale play --resume play-1" in out
    game = Path("results/play-1/games/d001-p01-r0.jsonl")
    assert f"dale replay {game}" in out
    assert len([record for record in read_log(game).decisions if record.seat == "A"]) == 2
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n"))
    dale(capsys, "play", "--resume", "play-1")
    assert len([record for record in read_log(game).decisions if record.seat == "A"]) == 3
    assert "replays to the same events" in dale(capsys, "replay", str(game), "--check")
    dale(capsys, "tournament", "run", "tiny.toml")
    assert "is a tournament" in dale(capsys, "play", "--resume", "tiny", code=2)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "play-2" in dale(capsys, "play", "--against", "random", "--against", "random", "--seat", "2")


def test_only_games_of_named_people_are_counted_in_reports(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for names, counted in ((["--as", "Ana"], True), ([], False)):
        monkeypatch.setattr(sys, "stdin", io.StringIO("undo\n" + "0\n" * 20))
        run = f"play-{1 if counted else 2}"
        out = dale(capsys, "play", "--against", "random", "--seed", "3", "--rounds", "1", "--level", "L0", *names)
        assert ("not counted in reports" in out) != counted
        assert ("This game is counted in reports, so nothing is taken back" in out) == counted
        who = next(iter(read_log(Path(f"results/{run}/games/d001-p01-r0.jsonl")).header.seats.values()))
        if counted:
            assert (who.name, who.agent) == ("Ana", "human?level=L0")
            assert "Ana" in dale(capsys, "report", run)
        else:
            assert (who.name, who.agent) == ("you", "human?casual=true&level=L0")
            assert f"{run} is a casual game, which no report counts" in dale(capsys, "report", run, code=2)
            assert "play-2 is a casual game" in dale(capsys, "report", "play-1", "play-2", code=2)


def test_resume_without_a_name_takes_the_game_played_last_that_is_not_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        monkeypatch.setattr(sys, "stdin", io.StringIO("0\n"))
        dale(capsys, "play", "--against", "random", "--name", name, "--rounds", "4")
    os.utime("results/one/games/d001-p01-r0.jsonl", ns=(2 * 10**18, 2 * 10**18))
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "dale play --resume one" in dale(capsys, "play", "--resume")
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n" * 60))
    assert "The game is over" in dale(capsys, "play", "--resume", "one")
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert "dale play --resume two" in dale(capsys, "play", "--resume")


def test_play_begins_with_the_draft_of_the_tournament_variant(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n"))
    out = dale(capsys, "play", "--variant", "tournament", "--start", "A")
    assert "The draft: ban a set" in out
    game = Path("results/play-1/games/d001-p01-r0.jsonl")
    assert [record.asks for record in read_log(game).decisions][:2] == ["ban", "ban"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("0\n"))
    assert "The draft: pick a set" in dale(capsys, "play", "--resume", "play-1")
    assert "replays to the same events" in dale(capsys, "replay", str(game), "--check")


def test_help_is_quick_because_nothing_heavy_is_loaded() -> None:
    script = (
        "import sys; from harness.cli import run; run(['--help']);"
        "sys.exit(' '.join(sorted({'openai', 'anthropic', 'xllamacpp', 'pydantic', 'engine'} & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == ""


def test_quickstart_without_the_model_takes_a_new_name_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    out = dale(capsys, "quickstart", "--no-model")
    assert "6 of 6 games are finished" in out
    assert all(name in out for name in ("sloppy", "merchant", "random"))
    assert "model at" not in out
    dale(capsys, "quickstart", "--no-model")
    assert Path("results/quickstart-2/run.json").is_file()
    Path("results/quickstart-2/games/d001-p01-r0.jsonl").unlink()
    assert "6 of 6 games are finished" in dale(capsys, "quickstart", "--no-model", "--resume")
    assert Path("results/quickstart-2/games/d001-p01-r0.jsonl").is_file()


def test_ctrl_c_says_how_far_it_got_and_how_to_go_on(capsys: pytest.CaptureFixture[str]) -> None:
    Path("long.toml").write_text(TOML.replace("tiny", "long").replace("= 2", "= 30") + "[schedule]\ndeals = 12\n")
    script = "import sys; from harness.cli import main; sys.argv = ['dale', *sys.argv[1:]]; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, "tournament", "run", "long.toml"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("[1/24]")
    process.send_signal(signal.SIGINT)
    rest = process.stdout.read()
    assert process.wait() == 130
    process.stdout.close()
    assert " of 24 games are finished" in rest
    assert "Go on with: dale tournament run long.toml --resume" in rest
    finished = [path for path in Path("results/long/games").glob("*.jsonl") if read_log(path).outcome is not None]
    assert 0 < len(finished) < 24
    before = {path: path.read_bytes() for path in finished}
    out = dale(capsys, "tournament", "run", "long.toml", "--resume")
    assert "24 of 24 games are finished" in out
    assert out.count("\n[") == 24 - len(finished) - out.startswith("[")
    assert all(path.read_bytes() == data for path, data in before.items())


@pytest.mark.parametrize("how", [[], ["--executor", "process", "--workers", "2"]], ids=["local", "process"])
def test_a_run_whose_reader_goes_is_played_to_its_end_and_says_so(how: list[str]) -> None:
    Path("long.toml").write_text(TOML.replace("tiny", "long").replace("= 2", "= 30") + "[schedule]\ndeals = 8\n")
    script = "import sys; from harness.cli import main; sys.argv = ['dale', *sys.argv[1:]]; main()"
    command = [sys.executable, "-c", script, "tournament", "run", "long.toml", *how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith("[1/16]")
        process.stdout.close()
        said = process.stderr.read()
    assert said == (
        "dale: standard output was closed, and the run went on without it: 16 of 16 games are finished; logs in "
        "results/long/games.\n"
    )
    assert process.returncode == 1
    assert all(read_log(path).outcome is not None for path in Path("results/long/games").glob("*.jsonl"))


@pytest.mark.parametrize("command", ["tournament", "scenario", "models"])
def test_a_group_alone_prints_its_help_line_by_line(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert dale(capsys, command) == dale(capsys, command, "--help")


def test_a_log_that_cannot_be_opened_is_told_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    dale(capsys, "tournament", "run", "tiny.toml")
    log = Path("results/tiny/games/d001-p01-r0.jsonl")
    log.unlink()
    log.mkdir()
    said = dale(capsys, "tournament", "resume", "tiny", code=2)
    assert said == f"dale: cannot read the game log {log}: Is a directory.\n"


def test_who_takes_a_game_for_a_tournament_or_the_other_way_is_told_what_goes_on(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    dale(capsys, "tournament", "run", "tiny.toml", "--results", "mine")
    said = dale(capsys, "play", "--resume", "tiny", "--results", "mine", code=2)
    assert said.endswith("go on with dale tournament resume mine/tiny.\n")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    dale(capsys, "play", "--against", "random", "--plain", "--results", "mine")
    said = dale(capsys, "tournament", "resume", "play-1", "--results", "mine", code=2)
    assert said.endswith("go on with dale play --resume play-1 --results mine.\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("arguments", [["agents"], ["--version"]])
def test_output_that_is_not_taken_is_told_in_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["dale", *arguments])
    with open("/dev/full", "w") as full, monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", full)
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "dale: cannot read or write the output: No space left on device.\n"
