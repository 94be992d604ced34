"""Why a call of the model gave nothing to use, and whether the same call again may."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Usage:
    """The tokens of one call; `estimated` where the server did not count them."""

    input_tokens: int
    output_tokens: int
    estimated: bool = False


class CallFailed(Exception):
    """A call without a usable reply.

    `kind` is a stable word for programs. `tries` is how often such a call is made in all before it is given up: 1 where
    trying again does not help. `message` is a sentence for the person; it holds no key, and no word of a server or a
    model: it is shown before the round is done, when a model's words may give the worked answer away. Those are
    `said`, for the ledger, the log and the operator. `reply` and `usage` are what the server sent all the same, and
    counts.
    """

    kind = "failed"
    tries = 1

    def __init__(
        self,
        message: str,
        *,
        said: str = "",
        retry_after_s: float | None = None,
        reply: str = "",
        usage: Usage | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.said = said
        self.retry_after_s = retry_after_s
        self.reply = reply
        self.usage = usage

    @property
    def in_full(self) -> str:
        """The message, and what the server or the model said."""
        return f"{self.message} It said: {self.said}" if self.said else self.message

    @property
    def helps_to_try_again(self) -> bool:
        return self.tries > 1


class Unauthorized(CallFailed):
    """401 or 403."""

    kind = "unauthorized"


class NoSuchModel(CallFailed):
    """404: the model, or the address."""

    kind = "no_such_model"


class RequestRefused(CallFailed):
    """400, 413, 422 and the like: the same request is refused again."""

    kind = "request_refused"


class Redirected(CallFailed):
    """The server sends us elsewhere. The submission goes to no host that was not configured."""

    kind = "redirected"


class Limited(CallFailed):
    """429; `retry_after_s` where the server says when."""

    kind = "limited"
    tries = 6


class ServerTrouble(CallFailed):
    """5xx."""

    kind = "server_trouble"
    tries = 5


class TimedOut(CallFailed):
    """No whole reply within the time-out."""

    kind = "timed_out"
    tries = 3


class Cut(CallFailed):
    """The connection could not be made, or was cut."""

    kind = "cut"
    tries = 5


class Empty(CallFailed):
    """A reply without a word."""

    kind = "empty"
    tries = 3


class Refused(CallFailed):
    """The model will not, or a filter stopped it."""

    kind = "refused"
    tries = 2


class CutOff(CallFailed):
    """The reply ends before its end."""

    kind = "cut_off"
    tries = 2


class WrongForm(CallFailed):
    """A reply that is no JSON, or not of the form."""

    kind = "wrong_form"
    tries = 3


class TooLarge(CallFailed):
    """A reply above the bound; it was not read to its end."""

    kind = "too_large"
    tries = 2


class Interrupted(CallFailed):
    """This process is being stopped. The work goes back to the queue, and no attempt is counted."""

    kind = "interrupted"
