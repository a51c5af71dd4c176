"""What calls cost: the table that comes with ``genai-prices``, or prices that the run declares. Works offline.

All amounts are US dollars as decimals, never floats; unit prices are for a million tokens.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Literal

from harness.providers.profiles import Profile
from harness.providers.types import Usage

if TYPE_CHECKING:
    import genai_prices

MILLION = Decimal(1_000_000)
FREE = Decimal(0)
_TIERS = ("service_tier", "speed")
"""What an answer may state about how it was served, and the table may price differently."""


@dataclass(frozen=True)
class UnitPrices:
    """Declared prices for a million tokens of each kind."""

    input: Decimal
    cache_read: Decimal
    cache_write: Decimal
    output: Decimal


@dataclass(frozen=True)
class Tariff:
    """How the calls of one agent are priced.

    ``source`` says by what: ``free``, the prices the ``run`` declares, the ``table`` or nothing at all (``unknown``).
    The table is asked by the endpoint's address, so that a server that borrows a well-known name is not given its
    price.
    """

    source: Literal["free", "run", "table", "unknown"]
    model: str
    base_url: str
    prices: UnitPrices | None = None

    @property
    def known(self) -> bool:
        """Whether calls can be priced."""
        return self.source != "unknown"

    def cost(self, usage: Usage, model: str | None = None, tiers: Mapping[str, str] | None = None) -> Decimal | None:
        """Return what these tokens cost, None if the price is unknown.

        ``model`` is the name the server gave, which may be more exact than the one asked for; ``tiers`` is what the
        answer states about how it was served.
        """
        if self.source == "free":
            return FREE
        if self.prices is not None:
            per_kind = (
                usage.uncached_input * self.prices.input,
                usage.cache_read * self.prices.cache_read,
                usage.cache_write * self.prices.cache_write,
                usage.output * self.prices.output,
            )
            return sum(per_kind, FREE) / MILLION
        found = self._ask_table(usage, model, tiers) if self.source == "table" else None
        return found.total_price if found is not None else None

    def at_most(self, input_tokens: int, output_tokens: int, tiers: Mapping[str, str] | None = None) -> Decimal | None:
        """Return what a call of this size costs at worst: its whole input read plainly, or all written to the cache.

        None if the price is unknown.
        """
        ways = (
            Usage(uncached_input=input_tokens, output=output_tokens),
            Usage(cache_write=input_tokens, output=output_tokens),
        )
        costs = [cost for cost in (self.cost(usage, None, tiers) for usage in ways) if cost is not None]
        return max(costs, default=None)

    def to_json(self) -> dict[str, Any]:
        """Return the source and the unit prices as they are now, for the log."""
        if self.prices is not None:
            return {"source": self.source, **{name: amount(price) for name, price in vars(self.prices).items()}}
        if self.source != "table":
            return {"source": self.source}
        import genai_prices

        found = self._ask_table(Usage(), None, None)
        assert found is not None
        return {
            "source": f"genai-prices {genai_prices.__version__}",
            "provider": found.provider.id,
            "model": found.model.id,
            **{
                name.removesuffix("_mtok"): _shown(price)
                for name, price in vars(found.model_price).items()
                if price is not None and name.endswith("_mtok")
            },
        }

    def _ask_table(
        self, usage: Usage, model: str | None, tiers: Mapping[str, str] | None
    ) -> genai_prices.types.PriceCalculation | None:
        import genai_prices  # slow to import, and needed only where calls cost money

        tokens = genai_prices.Usage(
            input_tokens=usage.uncached_input + usage.cache_read + usage.cache_write,
            cache_read_tokens=usage.cache_read,
            cache_write_tokens=usage.cache_write,
            output_tokens=usage.output,
        )
        for name in (model, self.model):
            if name:
                try:
                    return genai_prices.calc_price(
                        tokens, name, provider_api_url=self.base_url, price_context=tiers or None
                    )
                except LookupError:
                    continue
        return None


def make_tariff(
    profile: Profile, declared: Mapping[str, UnitPrices | None] | None = None, names: Sequence[str] = ()
) -> Tariff:
    """Return how calls through a profile are priced.

    ``declared`` are prices by name, None for free; ``names`` are those to look for, the most telling first. They go
    before the profile and the table.
    """
    for name in names:
        if declared and name in declared:
            prices = declared[name]
            return Tariff("run" if prices is not None else "free", profile.model, profile.base_url, prices)
    if profile.free:
        return Tariff("free", profile.model, profile.base_url)
    tariff = Tariff("table", profile.model, profile.base_url)
    return tariff if tariff.cost(Usage()) is not None else Tariff("unknown", profile.model, profile.base_url)


def stated_tiers(answer: bytes | None) -> dict[str, str]:
    """Return what a raw answer states about how it was served, as far as prices may depend on it."""
    try:
        body = json.loads(answer or b"{}")
    except (ValueError, RecursionError):
        return {}
    if not isinstance(body, dict):
        return {}
    usage = body.get("usage")
    told = {**(usage if isinstance(usage, dict) else {}), **body}
    return {name: told[name] for name in _TIERS if isinstance(told.get(name), str)}


def amount(dollars: Decimal) -> str:
    """Return an amount as the plain decimal text that stands in logs."""
    return format(dollars.normalize(), "f")


def _shown(price: Any) -> Any:
    """A unit price as text; one that depends on the size of the input as its base and steps."""
    if isinstance(price, Decimal):
        return amount(price)
    return {"base": amount(price.base), "above": {str(tier.start): amount(tier.price) for tier in price.tiers}}
