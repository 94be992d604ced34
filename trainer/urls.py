from django.urls import include, path

from trainer import health

urlpatterns = [
    path("livez", health.livez, name="livez"),
    path("healthz", health.healthz, name="healthz"),
    path("", include("trainer.home.urls")),
    path("rounds/", include("trainer.rounds.urls")),
    path("rounds/<uuid:round_id>/critic/", include("grading.urls")),
    path("progress/", include("grading.urls_progress")),
    path("review/", include("trainer.review.urls")),
    path("study/", include("trainer.study.urls")),
    path("drills/", include("trainer.drills.urls")),
    path("", include("calculator.urls")),
    path("designs/", include("designs.urls")),
    path("", include("designs.quoted.urls")),
    path("", include("trainer.accounts.urls")),
]

handler400 = "trainer.errors.bad_request"
handler404 = "trainer.errors.not_found"
handler500 = "trainer.errors.server_error"
