"""``/errata/`` and ``/calculator/figures/``."""

from django.urls import path

from designs.quoted import views

app_name = "errata"
urlpatterns = [
    path("errata/", views.errata_page, name="index"),
    path("calculator/figures/", views.figures_page, name="figures"),
]
