from django.urls import URLPattern

app_name = "designs"
urlpatterns: list[URLPattern] = []
