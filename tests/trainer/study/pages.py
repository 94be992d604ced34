"""What the tests of the study pages share."""

from django.test import Client

LISTS = (
    "/study/",
    "/study/concepts/",
    "/study/numbers/",
    "/study/transfer/",
    "/study/patterns/",
    "/study/defects/",
    "/study/order/",
    "/study/failure-modes/",
    "/study/self-assessment/",
    "/study/hire-bar/",
    "/study/cheat-sheet/",
    "/study/references/",
    "/study/glossary/",
)
HTMX = {"HX-Request": "true"}


def source(client: Client, path: str, *, status: int = 200, **headers: str) -> str:
    """The page's source."""
    response = client.get(path, headers=headers)
    assert response.status_code == status, path
    return response.content.decode()
