"""The tables ``[budget]`` and ``[prices."NAME"]`` of a tournament file."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from harness.providers.prices import UnitPrices

_KINDS_OF_TOKENS = ("input", "cache_read", "cache_write", "output")


def _dollars(value: Any) -> Decimal:
    """Read a number of TOML, or a text, as an exact decimal."""
    try:
        number = Decimal(str(value)) if not isinstance(value, bool) else Decimal("NaN")
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number < 0:
        raise ValueError(f"must be a number of US dollars such as 2.50, not {value!r}")
    return number


_IN_TOML = {"anyOf": [{"type": "number", "minimum": 0}, {"type": "string", "pattern": r"^[0-9]*\.?[0-9]+$"}]}
Dollars = Annotated[Decimal, BeforeValidator(_dollars), WithJsonSchema(_IN_TOML)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class BudgetTable(_Strict):
    """The most that may be spent, in US dollars: by the whole run, by each entrant, in each game."""

    run: Dollars | None = Field(
        default=None, description="US dollars for the whole run; --budget on the command line goes before it."
    )
    entrant: Dollars | None = Field(
        default=None, description="US dollars for each entrant; then only games without it go on."
    )
    game: Dollars | None = Field(default=None, description="US dollars for each game; then only that game ends.")


class PriceTable(_Strict):
    """What a model costs, US dollars for a million tokens; cached input costs as much as other input unless given."""

    input: Dollars | None = Field(default=None, description="US dollars for a million tokens of input.")
    cache_read: Dollars | None = Field(
        default=None, description="US dollars for a million tokens read from the cache; unless given, as input."
    )
    cache_write: Dollars | None = Field(
        default=None, description="US dollars for a million tokens written to the cache; unless given, as input."
    )
    output: Dollars | None = Field(
        default=None, description="US dollars for a million tokens of output, reasoning included."
    )
    free: bool = Field(default=False, description="Whether its calls cost nothing; stands alone.")

    @model_validator(mode="after")
    def _is_whole(self) -> PriceTable:
        if self.free:
            if any(getattr(self, name) is not None for name in _KINDS_OF_TOKENS):
                raise ValueError("free = true stands alone: leave out the prices")
        elif self.input is None or self.output is None:
            raise ValueError("needs input and output, US dollars per million tokens, or free = true")
        return self

    @property
    def unit_prices(self) -> UnitPrices | None:
        """The prices of all kinds of tokens, None for free."""
        if self.input is None or self.output is None:
            return None
        read, write = (self.input if price is None else price for price in (self.cache_read, self.cache_write))
        return UnitPrices(self.input, read, write, self.output)
