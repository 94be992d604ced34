"""Which server is asked, as the operator set it in the environment."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from django.conf import settings

from grading.core.money import Price

NO_ENDPOINT = "No endpoint is configured any more: CRITIC_BASE_URL is not set."


@dataclass(frozen=True)
class Endpoint:
    """One server and model. The key is in no text made of this."""

    base_url: str
    model: str
    api_key: str = field(repr=False)
    timeout_s: float
    max_output_tokens: int
    price: Price | None  # none: what a call costs is not known, and counted as nothing

    @property
    def host(self) -> str:
        """The host of the address, with its port; a name and password in it are nobody's business."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or self.base_url


def configured_endpoint() -> Endpoint | None:
    """The endpoint of the settings; None where there is none, and the built-in critic does the work."""
    if not settings.CRITIC_BASE_URL:
        return None
    return Endpoint(
        base_url=settings.CRITIC_BASE_URL,
        model=settings.CRITIC_MODEL,
        api_key=settings.CRITIC_API_KEY,
        timeout_s=settings.CRITIC_TIMEOUT_S,
        max_output_tokens=settings.CRITIC_MAX_OUTPUT_TOKENS,
        price=configured_price(),
    )


def configured_price() -> Price | None:
    """The endpoint's price; None unless both sides of it and its day are set."""
    both = settings.CRITIC_USD_PER_MILLION_INPUT, settings.CRITIC_USD_PER_MILLION_OUTPUT
    if both[0] is None or both[1] is None or settings.CRITIC_PRICE_AS_OF is None:
        return None
    return Price(both[0], both[1], settings.CRITIC_PRICE_AS_OF)
