"""The violation codes of rules.md section 18: group, rules broken, and the priority R-ERR-01 gives them."""

from __future__ import annotations

from typing import Final, NamedTuple

from engine.types import JSON


class CodeInfo(NamedTuple):
    """One row of the taxonomy."""

    code: str
    group: str
    rules: tuple[str, ...]


class Violation(NamedTuple):
    """One rule a proposal breaks: code, the rule IDs, and the facts that show it."""

    code: str
    rules: tuple[str, ...]
    facts: dict[str, JSON]

    @property
    def is_format(self) -> bool:
        """Whether the proposal could not even be read (failure class `format`, contract section 4)."""
        return self.code in FORMAT_CODES


FORMAT_CODES: Final = ("malformed_arguments", "unknown_action")

_ROWS: Final = """
A malformed_arguments R-ERR-02 R-TEC-07
A unknown_action R-TRN-02
A game_over R-END-03
A not_your_decision R-TRN-10 R-DEC-01
A wrong_decision_type R-DEC-01
A second_action_without_bonus R-TRN-02 R-TRN-06
A pass_not_allowed R-TRN-07
A end_turn_not_available R-DEC-01
B unknown_card R-CMP-05
B duplicate_card R-CMP-05
B card_not_in_hand R-MKT-05 R-STL-01 R-TEC-01 R-INV-01
B card_of_other_player R-ZON-05
B stall_card_reuse R-STL-07 R-MKT-15
B card_in_wrong_zone R-EFF-04
B hidden_zone_access R-INF-04 R-ZON-01
B random_choice_required R-EFF-05
B pile_reorder R-ZON-02
C slot_out_of_range R-MKT-01
C slot_empty R-MKT-14
C multiple_purchase R-MKT-01
C market_discard_not_allowed R-MKT-01 R-MKT-04 PAN4c PAN4c-2
C market_discard_not_top R-MKT-04 PAN4c PAN4c-2
C market_discard_empty R-MKT-04 PAN4c PAN4c-2
C insufficient_payment R-MKT-06 R-MKT-09
C overpay_unneeded_card R-MKT-07 R-MKT-09
C throw_away_not_junk PAN3c PAN3c-3
C throw_away_too_many PAN3c PAN3c-2
C throw_away_not_paid PAN3c PAN3c-1 PAN3c-2
D not_a_technique R-TEC-01 R-PAS-04
D missing_required_choice R-EFF-02 R-TEC-07
D superfluous_choice R-TEC-07
D target_invalid R-EFF-04
D target_self R-VOC-03
D target_unknown_player R-VOC-03
D target_empty R-EFF-04
D too_many_targets R-EFF-02
D too_few_targets R-EFF-02
D fizzle_not_allowed R-EFF-02 R-EFF-04
D value_out_of_range R-EFF-02
D invalid_order R-ZON-04 R-DIS-02
D card_not_offered R-TEC-07
D self_reference R-VOC-04 R-TEC-05
E no_ability R-PAS-05
E ability_already_used R-PAS-05 R-PAS-06
E ability_wrong_timing R-TRN-09 R-CLN-08 R-CLN-09 R-CPR-01
E ability_no_effect R-CPR-05
E copy_target_missing R-CPC-03 R-CPC-12
E copy_target_invalid R-CPC-04 R-CPR-05
E copy_chain_invalid R-CPC-05
E copy_not_possible R-CPC-01 R-CPR-01
F stack_empty R-STL-04 R-STL-11
F stack_out_of_order R-STL-02
F stack_sealed R-STL-06
F stack_contains_junk R-STL-05 R-CMP-04
F stack_mixed_sets R-STL-04
F stack_wrong_total R-STL-03
F discard_inclusion_not_allowed R-STL-01 R-STL-11
F discard_inclusion_limit R-STL-10 R-STL-11
F adjust_not_available R-STL-10
F bonus_stack_not_available R-STL-01 R-STL-13
G claim_cost_wrong R-MKT-02
G claim_total_wrong R-MKT-05 R-STL-03 R-VAL-01
G claim_bonus_wrong R-TRN-03 R-TRN-04 R-TRN-05 R-TRN-06
G claim_destination_wrong R-MKT-11 R-THR-01 R-TEC-04
G claim_winner_wrong R-END-01
"""


def _read(rows: str) -> dict[str, CodeInfo]:
    table: dict[str, CodeInfo] = {}
    for row in rows.split("\n"):
        if row:
            group, code, *rules = row.split()
            table[code] = CodeInfo(code, group, tuple(rules))
    return table


CODES: Final[dict[str, CodeInfo]] = _read(_ROWS)
"""Every code, in priority order (R-ERR-01).

Those of R-ERR-06 are for words, not for tool calls: no check gives them, so that group G refuses nothing (R-ERR-03).
"""

_PRIORITY: Final = {code: number for number, code in enumerate(CODES)}


def fault(code: str, *more_rules: str, **facts: JSON) -> Violation:
    """A violation of this code; `more_rules` are statement IDs of the card concerned."""
    return Violation(code, CODES[code].rules + more_rules, facts)


def ranked(violations: list[Violation]) -> tuple[Violation, ...]:
    """Violations in the order of R-ERR-01, one for each code (the first found); the first is the primary one."""
    first: dict[str, Violation] = {}
    for violation in violations:
        first.setdefault(violation.code, violation)
    return tuple(sorted(first.values(), key=lambda violation: _PRIORITY[violation.code]))
