"""Changes to accounts."""

from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.db import transaction

from trainer.accounts.models import User


@transaction.atomic
def user_add(*, username: str, password: str, is_staff: bool = False) -> User:
    """An account that can log in at once.

    Raises:
        ValidationError: the name is taken or not a name, or the password is too weak; it says which.
    """
    model = get_user_model()
    user = model(username=model.normalize_username(username), is_staff=is_staff)
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    user.save()
    return user
