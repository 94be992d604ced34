"""Requests, runs and answers a critique with the endpoint that the environment names, on a database of its own."""

import datetime as dt
import sys

import django
from django.core.management import CommandError, call_command
from django.test import Client
from django.test.utils import setup_databases, setup_test_environment, teardown_databases
from django.utils import timezone

TRIES = 20
QUALITY = "middling"


def main() -> int:
    django.setup()
    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        return whole_path()
    finally:
        teardown_databases(databases, verbosity=0)


def whole_path() -> int:
    from grading import services
    from grading.models import Critique, State
    from grading.running.critique import run_critique
    from grading.selectors import cost_of
    from tests.grading.cases import texts_of
    from tests.trainer.rounds.sitting import Sitting
    from trainer.accounts.middleware import LOCAL_USERNAME
    from trainer.accounts.models import User

    try:
        call_command("critic_check")
    except CommandError as error:
        print(f"critic_check: {error}")
    user, _ = User.objects.get_or_create(username=LOCAL_USERNAME)
    sitting = Sitting(user, timezone.now() - dt.timedelta(hours=2), slug="m01").to("writing")
    for key, text in texts_of("m01", QUALITY).items():
        sitting.save(key, text)
    sitting.to("scoring")
    critique = services.critique_request(round=sitting.round, user=user, now=timezone.now())
    for _ in range(TRIES):
        run_critique(critique.pk)
        critique = Critique.objects.get(pk=critique.pk)
        if critique.state != State.QUEUED:
            break
        print(f"  {critique.failure_reason}")
        Critique.objects.filter(pk=critique.pk).update(retry_at=None)
    cost = cost_of(critique)
    print(f"{critique.state}: {critique.failure_reason or f'{critique.items.count()} of {critique.drafted} stood'}")
    print(f"{cost.calls} calls, {cost.input_tokens:,} tokens in, {cost.output_tokens:,} out")
    for dropped in critique.dropped:
        print(f"  dropped: {dropped['text']}")
    page = Client(raise_request_exception=False).get(sitting.url())
    print(f"The round's page answers {page.status_code}.")
    ended = critique.state == State.SHOWN or (critique.state == State.FAILED and bool(critique.failure_reason))
    return 0 if ended and page.status_code == 200 else 1


if __name__ == "__main__":
    sys.exit(main())
