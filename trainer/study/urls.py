"""``/study/``: the guide, the concepts and the lists."""

from django.urls import path

from trainer.study import views, views_lists, views_own

app_name = "study"
urlpatterns = [
    path("", views.index, name="index"),
    path("concepts/", views.concepts, name="concepts"),
    path("concepts/<str:concept>/", views.concept, name="concept"),
    path("concepts/<str:concept>/mark/", views.mark, name="mark"),
    path("numbers/", views_lists.numbers, name="numbers"),
    path("transfer/", views_lists.transfer, name="transfer"),
    path("patterns/", views_lists.patterns, name="patterns"),
    path("defects/", views_lists.defects, name="defects"),
    path("order/", views_own.order, name="order"),
    path("plan.ics", views_own.plan, name="plan"),
    path("failure-modes/", views_lists.failure_modes, name="failure_modes"),
    path("self-assessment/", views_own.self_assessment, name="self_assessment"),
    path("hire-bar/", views_lists.hire_bar, name="hire_bar"),
    path("cheat-sheet/", views_lists.sheet, name="cheat_sheet"),
    path("references/", views_lists.references, name="references"),
    path("glossary/", views_lists.glossary, name="glossary"),
    path("<slug:slug>/", views.chapter, name="chapter"),
]
