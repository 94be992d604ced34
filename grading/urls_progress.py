"""The Progress page: everyone's own."""

from django.urls import path

from grading import views_progress

app_name = "progress"
urlpatterns = [
    path("", views_progress.page, name="page"),
]
