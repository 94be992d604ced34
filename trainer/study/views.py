"""The study guide: its index, its chapters, and the concepts with their marks."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url, reswap

from calculator.answers import repeated_fields, typed_fields
from calculator.core.inputs import InputErrors
from calculator.topic_forms import topic_groups
from calculator.topics import topics
from trainer.accounts.requests import TraineeRequest
from trainer.review.models import Card
from trainer.study import selectors
from trainer.study.chapters import LoadedChapter, chapter_page
from trainer.study.loader import load_study
from trainer.study.redirects import see_other
from trainer.study.refusals import refusals
from trainer.study.services import MarkRefused, concept_mark

UNPROCESSABLE = 422


@require_safe
@never_cache
@login_required
def index(request: TraineeRequest) -> HttpResponse:
    """Chapters in order, concepts with one's own marks, the other lists, and what to do next."""
    groups = selectors.concept_groups(request.user)
    study = load_study()
    context = {
        "chapters": [chapter_line(one) for one in study.chapters.values()],
        "groups": groups,
        "next": selectors.what_next(groups),
    }
    return render(request, "study/index.html", context)


def chapter_line(loaded: LoadedChapter) -> dict[str, object]:
    """A chapter with the titles of those that it needs."""
    chapters = load_study().chapters
    return {"loaded": loaded, "needs": [chapters[slug] for slug in loaded.chapter.needs if slug in chapters]}


@require_safe
@never_cache
@login_required
def chapter(request: TraineeRequest, slug: str) -> HttpResponse:
    """A chapter at the inputs of the URL; what changes with them alone when htmx asks. 422 for what is refused."""
    loaded = _chapter_or_404(slug)
    typed = typed_fields(request.GET)
    errors = repeated_fields(request.GET)
    context: dict[str, object] = {"loaded": loaded}
    try:
        if errors:
            raise InputErrors(list(errors))
        page = chapter_page(loaded, typed)
        context |= {"page": page, "html": page.html(selectors.with_terms)}
    except InputErrors as refused:
        errors = refused.errors
    context["refusals"] = refusals(loaded, typed, errors)
    status = UNPROCESSABLE if errors else 200
    if request.htmx and not request.htmx.history_restore_request:  # type: ignore[attr-defined]
        return _text_alone(request, context, f"{reverse('study:chapter', args=[slug])}?{urlencode(typed)}")
    context |= _around(request, loaded) | {"groups": topic_groups(loaded.topic, typed, errors)}
    return render(request, "study/chapter.html", context, status=status)


def _text_alone(request: TraineeRequest, context: dict[str, object], address: str) -> HttpResponse:
    """The text for what is typed; where it is refused what is said of it alone, and the text before stays."""
    if "page" in context:
        return replace_url(render(request, "study/chapter_text.html", context), address)
    return reswap(render(request, "study/chapter_kept.html", context, status=UNPROCESSABLE), "none")


def _around(request: TraineeRequest, loaded: LoadedChapter) -> dict[str, object]:
    """What stands beside and below a chapter's text."""
    order = list(load_study().chapters.values())
    at = next((index for index, one in enumerate(order) if one.slug == loaded.slug), 0)  # read anew in between, maybe
    views = selectors.concept_views(request.user)
    return {
        "line": chapter_line(loaded),
        "number": at + 1,
        "count": len(order),
        "previous": order[at - 1] if at else None,
        "following": order[at + 1] if at + 1 < len(order) else None,
        "concepts": [views[id] for id in loaded.chapter.concepts if id in views],
        "topics": [topics()[slug] for slug in loaded.chapter.topics if slug in topics()],
        "drills": selectors.drills_of_chapter(loaded.slug),
        "references": [
            one
            for one in load_study().entries("references", "reference")
            if loaded.slug in one.lists.get("chapters", ())
        ],
    }


@require_safe
@never_cache
@login_required
def concepts(request: TraineeRequest) -> HttpResponse:
    """Every concept with what it is, its number and one's own mark."""
    return render(request, "study/concepts.html", {"groups": selectors.concept_groups(request.user)})


@require_safe
@never_cache
@login_required
def concept(request: TraineeRequest, concept: str) -> HttpResponse:
    """One concept: what it is, its number with the lines, the trap, where it returns, and one's mark."""
    return render(request, "study/concept.html", concept_context(request, concept))


@require_POST
@never_cache
@login_required
def mark(request: TraineeRequest, concept: str) -> HttpResponse:
    """ "Could say it aloud" or "not yet". To htmx goes the mark alone; else back to where it was pressed."""
    found = selectors.concept_views(request.user).get(concept)
    if found is None:
        raise Http404("there is no such concept")
    context: dict[str, object] = {}
    try:
        concept_mark(user=request.user, concept=found.entry, state=request.POST.get("state", ""), now=timezone.now())
    except MarkRefused as refused:
        context = {"refused": refused.message}
    context = concept_context(request, concept) | context
    status = UNPROCESSABLE if "refused" in context else 200
    if request.htmx:  # type: ignore[attr-defined]
        return render(request, "study/concept_mark.html", context, status=status)
    if status != 200:
        return render(request, "study/concept.html", context, status=status)
    listed = request.POST.get("from") == "list"
    return see_other(f"{reverse('study:concepts')}#{concept}" if listed else reverse("study:concept", args=[concept]))


def concept_context(request: TraineeRequest, id: str) -> dict[str, object]:
    """What a concept's page shows. Raises: Http404."""
    views = selectors.concept_views(request.user)
    if id not in views:
        raise Http404("there is no such concept")
    order = list(views)
    at = order.index(id)
    study = load_study()
    text = selectors.with_terms(views[id].entry.html["text"])
    return {
        "concept": views[id],
        "text": text,
        "previous": views[order[at - 1]] if at else None,
        "following": views[order[at + 1]] if at + 1 < len(order) else None,
        "history": selectors.concept_history(request.user, id),
        "card": Card.objects.filter(user=request.user, key=f"concept/{id}").first(),
        "drills": selectors.drills_of_concept(id),
        "chapters": [one for one in study.chapters.values() if id in one.chapter.concepts],
    }


def _chapter_or_404(slug: str) -> LoadedChapter:
    try:
        return load_study().chapters[slug]
    except KeyError:
        raise Http404(f"there is no chapter {slug[:40]!r}") from None
