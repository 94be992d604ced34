"""How right is this? What engines logged and what was measured, beside what the calculator and its peers say."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from calculator import accuracy
from calculator.measured_perf import accuracy_time


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Memory row by row, its errors, what is odd and why, the peers; then times."""
    return render(request, "calculator/accuracy.html", {"memory": accuracy.memory(), **accuracy_time()})
