"""``/calculator/``, its parts and ways in, and ``/calculator.json``."""

from django.urls import path

from calculator import views, views_accuracy, views_compare, views_config, views_topics, views_worksheet

app_name = "calculator"
urlpatterns = [
    path("calculator/", views.page, name="page"),
    path("calculator/parts/<str:name>/", views.part, name="part"),
    path("calculator/config/", views_config.page, name="config"),
    path("calculator/compare/", views_compare.page, name="compare"),
    path("calculator/worksheet/", views_worksheet.page, name="worksheet"),
    path("calculator/accuracy/", views_accuracy.page, name="accuracy"),
    path("calculator/topics/", views_topics.index, name="topics"),
    path("calculator/topics/<slug:slug>/", views_topics.page, name="topic"),
    path("calculator/<slug:slug>.json", views_topics.as_json, name="topic_json"),
    path("calculator.json", views.as_json, name="json"),
]
