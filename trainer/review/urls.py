from django.urls import path

from trainer.review import views

app_name = "review"
urlpatterns = [
    path("", views.index, name="index"),
    path("cards/", views.cards, name="cards"),
    path("undo/", views.undo, name="undo"),
    path("<int:card_id>/", views.card, name="card"),
    path("<int:card_id>/show/", views.show, name="show"),
    path("<int:card_id>/rate/", views.rate, name="rate"),
    path("<int:card_id>/suspend/", views.suspend, name="suspend"),
    path("<int:card_id>/unsuspend/", views.unsuspend, name="unsuspend"),
    path("<int:card_id>/bury/", views.bury, name="bury"),
    path("<int:card_id>/edit/", views.edit, name="edit"),
]
