"""Locks of classic chameleons, and uses of the abilities they copy (R-CPC-08, R-PAS-05)."""

from __future__ import annotations

from typing import Any

from stating import Accept, Codes, Position, copy

from engine import Game
from engine.types import TECHNIQUE_TOOL


class TestLocks:
    """R-CPC-08: after an ability was used through a copy, the chameleon stays that copy."""

    def rolled(self, position: Position, accept: Accept, **zones: Any) -> Game:
        """A Reflection that copied B's Bold Haggler and rolled 3."""
        zones = {"A": {"hand": ["reflection", "nuisance", "junk"]}, **zones}
        game = position(
            players=3,
            sets="macaws raccoons ocelots chameleons",
            B={"hand": ["cookies"], "discard": ["bold_haggler"]},
            C={"discard": ["spyglass"]},
            random=[{"die": 3}],
            **zones,
        )
        accept(game, "A", "ability", card="reflection", copies=copy("reflection", "discard_B:bold_haggler"))
        return game

    def test_it_keeps_its_slug_and_needs_no_copies_again(self, position: Position, accept: Accept) -> None:
        market = ["spyglass", None, None, None, None]
        game = self.rolled(position, accept, market=market)
        hand: Any = game.observe("A")["hand"]
        assert hand[0] == {
            "card": "reflection",
            "value": 4,
            "copies": "bold_haggler",
            "ability": "used",
            "changes": [{"add": 3}],
        }
        accept(game, "A", "market", source="slot_0", payment=["reflection"])

    def test_the_lock_and_its_alterations_end_with_the_target(self, position: Position, accept: Accept) -> None:
        game = self.rolled(position, accept)
        accept(game, "A", "technique", card="nuisance", choices={"opponents": ["B"]})
        hand: Any = game.observe("A")["hand"]
        assert hand[0] == {"card": "reflection", "value": 2, "ability": "used"}

    def test_what_changed_its_value_before_the_lock_stays(self, position: Position, accept: Accept) -> None:
        """R-CPC-08: a Reflection that could copy nothing is set to 5, rolls 2 as a Bold Haggler, and is 5 again."""
        game = position(
            sets="raccoons ocelots chameleons",
            A={"hand": ["blindfold", "reflection", "nuisance", "nuisance"]},
            B={"hand": ["bold_haggler", "junk"]},
            random=[{"pick": ["bold_haggler"]}, {"die": 2}],
        )
        accept(game, "A", "technique", card="blindfold", choices={"cards": ["reflection"]})
        accept(game, "B", "choose", choices={"value": 20})
        accept(game, "A", "choose", choices={"value": 5})
        nuisance = {"card": "nuisance", "choices": {"opponents": ["B"]}}
        accept(game, "A", "technique", **nuisance)
        accept(game, "A", "ability", card="reflection", copies=copy("reflection", "discard_B:bold_haggler"))
        hand: Any = game.observe("A")["hand"]
        assert (hand[0]["value"], hand[0]["changes"]) == (7, [{"set": 5}, {"add": 2}])
        accept(game, "A", "technique", **nuisance)
        hand = game.observe("A")["hand"]
        assert (hand[0]["value"], hand[0]["changes"]) == (5, [{"set": 5}])

    def test_the_ability_stays_used(self, position: Position, accept: Accept, codes: Codes) -> None:
        game = self.rolled(position, accept)
        assert codes(game, "A", "ability", card="reflection") == ["ability_already_used"]
        other = copy("reflection", "discard_C:spyglass")
        refused = codes(game, "A", "ability", card="reflection", copies=other)
        assert refused == ["ability_already_used", "copy_not_possible"]

    def test_bare_entries_are_for_the_copies_that_must_copy(
        self, position: Position, accept: Accept, codes: Codes
    ) -> None:
        """A locked one takes what is left if it repeats its lock (contract section 1)."""
        market = [None, None, None, None, "spyglass"]
        game = self.rolled(position, accept, A={"hand": ["reflection", "reflection"]}, market=market)
        payment: dict[str, Any] = {"source": "slot_4", "payment": ["reflection", "reflection"]}
        other = copy("reflection", "discard_C:spyglass")
        lock = copy("reflection", "discard_B:bold_haggler")
        assert codes(game, "A", "market", **payment, copies=other) == []
        assert codes(game, "A", "market", **payment, copies=other + lock) == []
        assert codes(game, "A", "market", **payment, copies=other + other) == ["copy_not_possible"]
        assert codes(game, "A", "market", **payment, copies=copy("reflection#1", "discard_C:spyglass") + other) == [
            "copy_not_possible"
        ]

    def test_an_explanation_leaves_such_an_entry_as_it_is(self, position: Position, accept: Accept) -> None:
        hand = {"hand": ["reflection", "reflection", "junk"]}
        game = self.rolled(position, accept, A=hand, market=["spyglass", None, None, None, None])
        copies = copy("reflection", "discard_C:spyglass")
        stated = {"source": "slot_0", "payment": ["reflection#2", "junk"], "copies": copies}
        found = game.explain("A", "market", stated)
        assert [violation.code for violation in found.violations] == ["overpay_unneeded_card"]
        assert found.edits == ({"field": "payment", "drop": ["junk"]},)

    def test_every_stack_listed_beside_a_discarded_copy_is_accepted(self, position: Position, accept: Accept) -> None:
        """SQU3-5: the discarded one is told what it copies, the locked one in the hand needs nothing."""
        game = position(
            players=3,
            sets="macaws squirrels ocelots chameleons",
            A={
                "hand": ["reflection", "nostalgic_item", "empty_chest"],
                "discard": ["reflection"],
                "stall": [["bold_haggler"]] * 7,
            },
            B={"discard": ["bold_haggler"]},
            C={"discard": ["cookies"]},
            random=[{"die": 0}],
        )
        accept(game, "A", "ability", card="reflection", copies=copy("reflection", "discard_B:bold_haggler"))
        listed: Any = [game.proposal(action) for action in game.legal]
        stacks = [one["arguments"] for one in listed if one["tool"] == "stall"]
        assert [one["copies"] for one in stacks] == [copy("reflection", "discard_C:cookies")]
        for arguments in stacks:
            assert game.judge("A", "stall", arguments) == ()
            verdict = game.clone().propose("A", "stall", arguments)
            assert verdict.proposal is not None
            assert verdict.proposal["arguments"] == arguments

    def test_it_ends_with_the_turn(self, position: Position, accept: Accept) -> None:
        game = self.rolled(position, accept)
        accept(game, "A", "inventory", cards=[])
        hand: Any = game.observe("A")["hand"]
        assert hand[0] == {"card": "reflection", "value": 2}


def test_a_lock_that_rests_on_the_blindfold_being_played_is_over_for_its_secret_card(
    position: Position, accept: Accept, codes: Codes
) -> None:
    """OCE5Bc-4, R-CPC-03: Seeing Doubles copied Trendsetting; when that is played it must copy another card."""
    game = position(
        sets="pandas ocelots chameleons",
        market=["bold_haggler", "blindfold", None, None, None],
        A={"hand": ["trendsetting", "seeing_doubles", "junk", "charm"]},
        B={"hand": ["junk"]},
        random=[{"die": 1}],
    )
    doubles = copy("seeing_doubles", "hand:trendsetting", "market:bold_haggler")
    accept(game, "A", "ability", card="seeing_doubles", copies=doubles)
    blindfold = copy("trendsetting", "market:blindfold")
    play = {"card": "trendsetting", "choices": {"cards": ["seeing_doubles"], "opponents": ["B"]}}
    assert codes(game, "A", "technique", **play, copies=blindfold) == ["copy_target_missing"]
    listed: Any = [game.proposal(action)["arguments"] for action in game.legal.of_tool(TECHNIQUE_TOOL)]
    hidden = [one["copies"][1] for one in listed if one.get("choices", {}).get("cards") == ["seeing_doubles"]]
    secret = [entry["targets"] for entry in hidden]
    assert secret == [["hand:junk"], ["hand:charm"]]
    accept(game, "A", "technique", **play, copies=[*blindfold, *copy("seeing_doubles", "hand:charm")])
    hand: Any = game.observe("A")["hand"]
    assert hand[0] == {"card": "seeing_doubles", "value": 4, "copies": "charm", "ability": "used"}


class TestUsesOfACopiedAbility:
    """R-PAS-05: once per turn for each physical card; a rolled Bold Haggler alone is copied as used (decks.md 6.3)."""

    def discovering(self, position: Position) -> Game:
        return position(
            sets="macaws pandas chameleons",
            market=["cookies"] * 5,
            market_deck=["spyglass"] * 4,
            A={"hand": ["market_discovery", "seeing_doubles", "junk", "junk", "junk"], "deck": ["junk"]},
        )

    def test_a_used_market_discovery_can_be_copied_and_used(self, position: Position, accept: Accept) -> None:
        game = self.discovering(position)
        accept(game, "A", "ability", card="market_discovery")
        accept(game, "A", "ability", card="seeing_doubles", copies=copy("seeing_doubles", "hand:market_discovery"))
        assert game.position()["market_discard"] == ["spyglass", "spyglass"]

    def test_it_keeps_the_window_open(self, position: Position, accept: Accept) -> None:
        """R-CLN-08."""
        game = self.discovering(position)
        accept(game, "A", "ability", card="market_discovery")
        accept(game, "A", "inventory", cards=[])
        assert game.decision is not None
        assert game.decision.kind == "end_of_turn"

    def test_paying_with_a_copy_of_a_used_or_of_an_unused_one_is_one_action(self, position: Position) -> None:
        """R-CPC-12: with one identity that can be reached the copy is filled in."""
        game = position(
            sets="macaws pandas chameleons",
            market=["spyglass", None, None, None, None],
            market_deck=["spyglass"],
            A={"hand": ["market_discovery", "market_discovery", "seeing_doubles"]},
        )
        assert game.propose("A", "ability", {"card": "market_discovery#1"}).accepted
        assert not game.judge("A", "market", {"source": "slot_0", "payment": ["seeing_doubles"]})
