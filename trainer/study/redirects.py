"""Where to look after a form was sent."""

from django.http import HttpResponseRedirect


class SeeOther(HttpResponseRedirect):
    """303: look there, by GET."""

    status_code = 303


def see_other(address: str) -> SeeOther:
    """To an address of this site."""
    return SeeOther(address)
