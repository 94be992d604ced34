from django.urls import path

from designs import views

app_name = "designs"
urlpatterns = [
    path("", views.index, name="index"),
    path("search/", views.search, name="search"),
    path("<slug:slug>/", views.design, name="design"),
    path("<slug:slug>/steps/<slug:step>/", views.step, name="step"),
    path("<slug:slug>/read/", views.read, name="read"),
]
