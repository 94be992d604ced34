from django.urls import path

from trainer.drills import views

app_name = "drills"
urlpatterns = [
    path("", views.index, name="index"),
    path("next/", views.next_one, name="next"),
    path("<slug:drill_id>/", views.drill, name="drill"),
    path("<slug:drill_id>/answer/", views.answer, name="answer"),
    path("<slug:drill_id>/mark/", views.mark, name="mark"),
]
