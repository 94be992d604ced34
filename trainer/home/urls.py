from django.urls import path

from trainer.home import views

app_name = "home"
urlpatterns = [
    path("", views.today, name="today"),
]
