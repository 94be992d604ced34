"""URLs of a round: one page for whatever state it is in, small JSON endpoints beside it, and its forms."""

from django.urls import path

from trainer.rounds import actions, api, pages

app_name = "rounds"
urlpatterns = [
    path("", pages.index, name="index"),
    path("start/", actions.start, name="start"),
    path("<uuid:round_id>/", pages.round_page, name="round"),
    path("<uuid:round_id>/steps/<slug:step>/", pages.step, name="step"),
    path("<uuid:round_id>/timeline/", pages.timeline, name="timeline"),
    path("<uuid:round_id>/clock.json", api.clock, name="clock"),
    path("<uuid:round_id>/documents/<slug:key>/", api.document, name="document"),
    path("<uuid:round_id>/worksheet/evaluate/", api.evaluate, name="evaluate"),
    path("<uuid:round_id>/focus/", api.focus, name="focus"),
    path("<uuid:round_id>/addenda/", api.addendum, name="addenda"),
    path("<uuid:round_id>/questions/", actions.ask, name="ask"),
    path("<uuid:round_id>/begin/", actions.begin, name="begin"),
    path("<uuid:round_id>/star/", actions.star, name="star"),
    path("<uuid:round_id>/submit/", actions.submit, name="submit"),
    path("<uuid:round_id>/pause/", actions.pause, name="pause"),
    path("<uuid:round_id>/resume/", actions.resume, name="resume"),
    path("<uuid:round_id>/abandon/", actions.abandon, name="abandon"),
    path("<uuid:round_id>/addenda/<int:addendum_id>/", actions.addendum_decide, name="addendum"),
    path("<uuid:round_id>/scores/", actions.scores, name="scores"),
    path("<uuid:round_id>/reveal/", actions.reveal, name="reveal"),
    path("<uuid:round_id>/critiques/<int:number>/first/", actions.critique_first, name="critique_first"),
    path("<uuid:round_id>/critiques/<int:number>/answer/", actions.critique_answer, name="critique_answer"),
    path("<uuid:round_id>/critiques/<int:number>/mark/", actions.critique_mark, name="critique_mark"),
]
