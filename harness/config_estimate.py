"""The tables ``[estimate."NAME"]`` of a tournament file: figures that ``dale tournament plan`` reckons with."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator


class EstimateTable(BaseModel):
    """What is expected of a model. What is left out is taken from a sample, computed or assumed."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    decisions_per_game: float | None = Field(default=None, gt=0, description="Decisions of one seat in one game.")
    calls_per_decision: float | None = Field(
        default=None, ge=1, description="Calls for each decision: further attempts, and steps of a menu."
    )
    input_tokens: int | None = Field(
        default=None, ge=1, description="Tokens of input of one call, cached ones included."
    )
    cached_tokens: int | None = Field(
        default=None, ge=0, description="How many of the input's tokens are read from a cache; 0 unless given."
    )
    output_tokens: int | None = Field(
        default=None, ge=1, description="Tokens of output of one call, reasoning included."
    )
    reasoning_tokens: int | None = Field(
        default=None, ge=0, description="How many of the output's tokens are reasoning; 0 unless given."
    )
    seconds_per_call: float | None = Field(
        default=None, gt=0, le=86_400, description="Seconds until a call is answered."
    )

    @model_validator(mode="after")
    def _is_part_of_a_whole(self) -> EstimateTable:
        for part, whole in (("cached_tokens", "input_tokens"), ("reasoning_tokens", "output_tokens")):
            of, all_of_it = getattr(self, part), getattr(self, whole)
            if of is not None and (all_of_it is None or of > all_of_it):
                raise ValueError(f"{part} are part of {whole}, which must be given and at least as many")
        return self
