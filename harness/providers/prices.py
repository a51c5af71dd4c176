"""What a call cost, as far as the price table that comes with ``genai-prices`` knows. Works offline."""

from __future__ import annotations

from harness.providers.profiles import Profile
from harness.providers.types import Usage


def cost_of(profile: Profile, usage: Usage | None, model: str | None = None) -> str | None:
    """Return the cost in US dollars as a decimal text, "0" for a free endpoint, None if unknown.

    ``model`` is the name the server gave; the price is looked up by the endpoint's address, so that a server that
    borrows a well-known name is not given its price.
    """
    if profile.free:
        return "0"
    if usage is None:
        return None
    import genai_prices  # slow to import, and needed only where calls cost money

    tokens = genai_prices.Usage(
        input_tokens=usage.uncached_input + usage.cache_read + usage.cache_write,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        output_tokens=usage.output,
    )
    for name in (model, profile.model):
        if name:
            try:
                found = genai_prices.calc_price(tokens, name, provider_api_url=profile.base_url)
            except LookupError:
                continue
            return format(found.total_price.normalize(), "f")
    return None
