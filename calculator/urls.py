"""``/calculator/`` and ``/calculator.json``: the site includes these behind ``calculator`` without a slash."""

from django.urls import path

from calculator import views

app_name = "calculator"
urlpatterns = [
    path("/", views.page, name="page"),
    path(".json", views.as_json, name="json"),
]
