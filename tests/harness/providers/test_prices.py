"""What a call costs, and at worst."""

from __future__ import annotations

from decimal import Decimal

import genai_prices

from harness.providers.prices import Tariff, UnitPrices, amount, make_tariff, stated_tiers
from harness.providers.profiles import Profile, make_profile
from harness.providers.types import Usage

USAGE = Usage(uncached_input=1000, cache_read=8000, cache_write=200, output=500, reasoning=400)
OPENAI = make_profile("openai", "gpt-5.5", "https://api.openai.com/v1")
HAIKU = make_profile("anthropic", "claude-haiku-5-5", "https://api.anthropic.com")
MINE = make_profile("compat", "qwen3", "http://127.0.0.1:8/v1")
DECLARED = UnitPrices(Decimal("1.25"), Decimal("0.125"), Decimal("1.5"), Decimal(10))


def table(profile: Profile, usage: Usage, model: str | None = None) -> Decimal:
    """What the library says."""
    tokens = genai_prices.Usage(
        input_tokens=usage.uncached_input + usage.cache_read + usage.cache_write,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        output_tokens=usage.output,
    )
    return genai_prices.calc_price(tokens, model or profile.model, provider_api_url=profile.base_url).total_price


def test_costs_are_known_by_address_only() -> None:
    assert make_tariff(OPENAI).cost(USAGE, "gpt-5.5-2026-01-01") == table(OPENAI, USAGE)
    assert make_tariff(HAIKU).cost(USAGE) == table(HAIKU, USAGE)
    borrowed = make_tariff(make_profile("openai", "gpt-5.5", "http://127.0.0.1:8/v1"))
    unheard = make_tariff(make_profile("openai", "unheard-of", "https://api.openai.com/v1"))
    for tariff in (borrowed, unheard):
        assert not tariff.known
        assert (tariff.cost(USAGE), tariff.at_most(9, 9), tariff.to_json()) == (None, None, {"source": "unknown"})


def test_cached_tokens_are_paid_once_and_reasoning_is_output() -> None:
    tariff = make_tariff(MINE, {"qwen3": DECLARED}, ("qwen3",))
    told = 1000 * Decimal("1.25") + 8000 * Decimal("0.125") + 200 * Decimal("1.5") + 500 * 10
    assert tariff.cost(USAGE) == told / 1_000_000


def test_declared_prices_go_before_the_table_and_the_more_telling_name_before_the_other() -> None:
    declared = {"gpt-5.5": DECLARED, "mine": None}
    assert make_tariff(OPENAI, declared, ("other", "gpt-5.5")).prices == DECLARED
    free = make_tariff(OPENAI, declared, ("mine", "gpt-5.5"))
    assert (free.source, free.cost(USAGE), free.at_most(10**6, 10**6)) == ("free", 0, 0)
    assert make_tariff(OPENAI, declared, ("other",)).source == "table"


def test_the_embedded_model_is_free() -> None:
    tariff = make_tariff(make_profile("local", base_url="http://127.0.0.1:8/v1"))
    assert (tariff.cost(USAGE), tariff.to_json()) == (0, {"source": "free"})


def test_at_worst_the_whole_input_is_written_to_the_cache() -> None:
    worst = make_tariff(HAIKU).at_most(10_000, 300)
    assert worst == table(HAIKU, Usage(cache_write=10_000, output=300))
    assert worst > table(HAIKU, Usage(uncached_input=10_000, output=300))
    assert make_tariff(OPENAI).at_most(300_000, 0) == 300_000 * Decimal(10) / 1_000_000  # the price of long inputs


def test_the_tier_an_answer_states_has_its_own_price() -> None:
    assert stated_tiers(b'{"service_tier": "priority"}') == {"service_tier": "priority"}
    assert stated_tiers(b'{"usage": {"service_tier": "standard", "speed": 3}}') == {"service_tier": "standard"}
    assert stated_tiers(b"<html>") == stated_tiers(b"[]") == stated_tiers(None) == {}
    tariff = make_tariff(OPENAI)
    flex, plain, dear = (tariff.cost(USAGE, None, {"service_tier": tier}) for tier in ("flex", "default", "priority"))
    assert flex is not None
    assert plain is not None
    assert dear is not None
    assert flex < plain < dear


def test_the_log_is_told_the_source_and_the_unit_prices() -> None:
    told = make_tariff(HAIKU).to_json()
    assert told["source"] == f"genai-prices {genai_prices.__version__}"
    assert (told["provider"], told["model"]) == ("anthropic", "claude-haiku-5-5")
    assert told["input"] == {"base": "0.1", "above": {"100000": "0.5"}}
    declared = Tariff("run", "m", "", DECLARED).to_json()
    assert declared == {"source": "run", "input": "1.25", "cache_read": "0.125", "cache_write": "1.5", "output": "10"}


def test_amounts_are_plain_decimals() -> None:
    assert [amount(Decimal(text)) for text in ("0", "1E+3", "0.10", "1E-7")] == ["0", "1000", "0.1", "0.0000001"]
