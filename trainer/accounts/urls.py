from django.contrib.auth.views import LoginView, LogoutView
from django.urls import path

app_name = "accounts"
urlpatterns = [
    path(
        "log-in/",
        LoginView.as_view(template_name="accounts/log_in.html", redirect_authenticated_user=True),
        name="log_in",
    ),
    path("log-out/", LogoutView.as_view(), name="log_out"),
]
