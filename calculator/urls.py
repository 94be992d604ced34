"""``/calculator/`` and ``/calculator.json``."""

from django.urls import path

from calculator import views

app_name = "calculator"
urlpatterns = [
    path("calculator/", views.page, name="page"),
    path("calculator.json", views.as_json, name="json"),
]
