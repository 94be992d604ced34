"""URLs of a round's critique. Every one of them is the round's owner's alone."""

from django.urls import path

from grading import views

app_name = "critic"
urlpatterns = [
    path("", views.page, name="page"),
    path("status/", views.status, name="status"),
    path("request/", views.request_critique, name="request"),
    path("retry/", views.retry, name="retry"),
    path("builtin/", views.fall_back, name="builtin"),
    path("close/", views.close, name="close"),
    *(
        path(f"{kind}s/<int:number>/{step}", view, {"kind": kind}, name=f"{kind}{name}")
        for kind in ("critique", "mutation")
        for step, name, view in (
            ("", "", views.page),
            ("reply/", "_reply", views.reply),
            ("answer/", "_answer", views.answer),
            ("mark/", "_mark", views.mark),
            ("retry/", "_retry", views.reply_retry),
        )
    ),
    path("critiques/<int:number>/worksheet/", views.worksheet, name="worksheet"),
]
