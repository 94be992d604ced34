"""The request as views get it: the middleware lets nobody through who is no trainee."""

from django.http import HttpRequest

from trainer.accounts.models import User


class TraineeRequest(HttpRequest):
    """A request whose person is known: the local trainee at home, whoever logged in when hosted."""

    user: User
