from django.urls import URLPattern

app_name = "calculator"
urlpatterns: list[URLPattern] = []
