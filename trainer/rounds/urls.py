from django.urls import URLPattern

app_name = "rounds"
urlpatterns: list[URLPattern] = []
