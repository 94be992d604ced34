"""A step of a design, opened in the worksheet."""

from collections.abc import Collection

from django.http import Http404, HttpRequest, HttpResponse

from calculator.views_worksheet import render_worksheet
from designs.loaded import LoadedDesign, NoSuchPart


def worksheet_of_step(
    request: HttpRequest, loaded: LoadedDesign, id: str, *, back: str, hidden: Collection[str] = ()
) -> HttpResponse:
    """The worksheet with a step and what it is worked out from. Who calls has seen to it that it may be shown.

    Of the steps in `hidden` only the values are told. Raises: Http404 when the design has no such step.
    """
    try:
        text = loaded.worksheet_of(id, hidden)
    except NoSuchPart:
        raise Http404("there is no such step") from None
    step = loaded.derivation.step(id)
    assert step is not None
    origin = {"title": loaded.step_title(step), "url": back, "label": loaded.title, "step_id": id}
    return render_worksheet(request, text, origin=origin)
