"""Rows that tests of several apps need, made through the same models and services as the site's own."""

from typing import Any

from django.contrib.auth import get_user_model

from trainer.accounts.models import User

PASSWORD = "correct horse battery staple"


def make_user(username: str, **fields: Any) -> User:
    """A trainee who logs in with `PASSWORD`."""
    user = get_user_model().objects.create_user(username=username, password=PASSWORD, **fields)
    assert isinstance(user, User)
    return user
