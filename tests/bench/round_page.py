"""The server's time for the page that a trainee looks at for 45 minutes, against a view that does nothing."""

from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from trainer.accounts.middleware import LOCAL_USERNAME
from trainer.ops.bench import Measured, compare
from trainer.rounds import services
from trainer.rounds.core.documents import SECTION_KEYS
from trainer.rounds.models import Round

TEXT = "The KV cache decides: layers times heads times the length of the context. " * 40


def measure() -> Measured:
    now = timezone.now()
    user, _ = get_user_model().objects.get_or_create(username=LOCAL_USERNAME)
    round_ = services.round_start(user=user, slug="m01", mode="exam", now=now)
    services.arithmetic_begin(round=round_, now=now)
    services.writing_begin(round=Round.objects.get(pk=round_.pk), now=now)
    for key in SECTION_KEYS:
        round_ = Round.objects.get(pk=round_.pk)
        services.document_save(round=round_, key=key, text=TEXT, base_revision=0, save_id=key, now=now)
    client = Client()
    page, empty = f"/rounds/{round_.pk}/", "/livez"
    assert client.get(page).status_code == client.get(empty).status_code == 200
    what, yardstick = "the page of a round in writing", "an empty view"
    return compare(what, lambda: client.get(page), yardstick, lambda: client.get(empty))
