"""A model out of a config.json that someone pastes, uploads or names: text and files become checked configurations."""

import json
import os
from typing import NoReturn

from calculator.core.hf_config import language_model_from_config
from calculator.core.hf_fields import refusal
from calculator.core.inputs import InputErrors
from calculator.core.llms import LanguageModel

LARGEST_BYTES = 2_000_000
"""Published configurations are below 200 kB, the longest for their lists of layers that are not quantized."""
_ALLOWED = f"the text of a config.json of at most {LARGEST_BYTES:,} bytes"
_EXAMPLE = '{"hidden_size": 4096, …}'


def model_from_config_text(text: str | bytes, name: str = "config.json") -> LanguageModel:
    """The model that the text of a configuration describes. Raises InputErrors, field ``config``."""
    size = len(text) if isinstance(text, bytes) else len(text.encode("utf-8", "surrogatepass"))
    if size > LARGEST_BYTES:
        raise refusal(f"it has {size:,} bytes", _ALLOWED, _EXAMPLE)
    try:
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text.removeprefix("\ufeff")
        config = json.loads(decoded, parse_constant=_no_number)
    except UnicodeDecodeError:
        raise refusal("it is not text in UTF-8", _ALLOWED, _EXAMPLE) from None
    except InputErrors:
        raise
    except (ValueError, RecursionError) as error:
        raise refusal(f"it is not JSON ({_where(error)})", _ALLOWED, _EXAMPLE) from None
    return language_model_from_config(config, name)


def model_from_config_file(path: str) -> LanguageModel:
    """The model that a file describes. Raises InputErrors, field ``config``, also when there is no such file."""
    shown = os.path.basename(path)[:80] or path[:80]
    try:
        with open(path, "rb") as file:
            text = file.read(LARGEST_BYTES + 1)
            size = max(len(text), os.fstat(file.fileno()).st_size)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no path"
        raise refusal(
            f"{shown!r} cannot be read: {reason}", "the path of a config.json", "path/to/config.json"
        ) from None
    if size > LARGEST_BYTES:
        raise refusal(f"{shown!r} has {size:,} bytes", _ALLOWED, _EXAMPLE)
    return model_from_config_text(text, shown)


def _no_number(constant: str) -> NoReturn:
    raise refusal(f"it holds {constant}, which is no number", "finite numbers", '"rope_theta": 500000.0')


def _where(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}, line {error.lineno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number too long to read"
