"""``/calculator/``, its parts and ways in, and ``/calculator.json``."""

from django.urls import path

from calculator import views, views_accuracy, views_compare, views_config, views_worksheet

app_name = "calculator"
urlpatterns = [
    path("calculator/", views.page, name="page"),
    path("calculator/parts/<str:name>/", views.part, name="part"),
    path("calculator/config/", views_config.page, name="config"),
    path("calculator/compare/", views_compare.page, name="compare"),
    path("calculator/worksheet/", views_worksheet.page, name="worksheet"),
    path("calculator/accuracy/", views_accuracy.page, name="accuracy"),
    path("calculator.json", views.as_json, name="json"),
]
