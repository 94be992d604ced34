"""At home nobody sets a secret key: one is made on first use and kept beside the data."""

import secrets
from pathlib import Path


def local_secret_key(var_dir: Path) -> str:
    """The key in `var_dir/secret_key`; made there, readable by its owner alone, if there is none yet."""
    path = var_dir / "secret_key"
    try:
        with path.open("x") as file:
            path.chmod(0o600)
            file.write(secrets.token_urlsafe(50))
    except FileExistsError:
        pass
    return path.read_text()
