"""The whole of a topic's answer as plain values: what the site and the command line both give as JSON."""

from calculator.topic_answers import TopicAnswer
from calculator.topic_plots import curves


def answer_dict(answer: TopicAnswer) -> dict[str, object]:
    """Everything: inputs, results, steps, script, and plots with their flips."""
    return answer.as_dict() | {"plots": [one.as_dict() for one in curves(answer)]}
