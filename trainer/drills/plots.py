"""A drill's plot as a chart with its table, which stands for it in words."""

from calculator.expressions import ExpressionError, Quantity, evaluate
from calculator.facts import catalogue_facts
from calculator.line_charts import LineChart
from calculator.topic_charts import topic_chart
from calculator.topic_plots import Curve, Curves
from calculator.topics import TopicPlot
from trainer.drills.core.drawing import Drawn, draw
from trainer.drills.core.forms import Drill, DrillRefused, Plot, Series

DIGITS = 3


def chart_of(drawn: Drawn) -> LineChart | None:
    """The chart of a drill that has a plot. Raises: DrillRefused where a curve has no value."""
    plot = drawn.drill.plot
    if plot is None:
        return None
    try:
        return topic_chart(_curves(drawn, plot))
    except ExpressionError as error:
        raise DrillRefused(f"its plot: {error.message}") from None


def plot_problem(drill: Drill) -> str:
    """Why a drill's plot cannot be drawn; "" when it can, or there is none."""
    try:
        chart_of(draw(drill, "0", facts=catalogue_facts()))
    except DrillRefused as error:
        return str(error)
    return ""


def _curves(drawn: Drawn, plot: Plot) -> Curves:
    places = tuple(_places(plot))
    shape = TopicPlot(
        id=f"plot-{drawn.drill.id}",
        title=drawn.drill.title,
        text=drawn.scene.fill(plot.text),
        x=plot.x,
        low="",
        high="",
        log_x=plot.log_x,
        log_y=plot.log_y,
        y_title=plot.y_title,
        series=tuple(one.name for one in plot.series),
        flips=(),
    )
    drawn_curves = tuple(_curve(drawn, plot, one, places) for one in plot.series)
    return Curves(shape, plot.x_title, plot.x_unit, places, drawn_curves, ())


def _places(plot: Plot) -> list[float]:
    shares = [index / (plot.points - 1) for index in range(plot.points)]
    if plot.log_x:
        return [float(f"{plot.low * (plot.high / plot.low) ** share:.4g}") for share in shares]
    return [float(f"{plot.low + (plot.high - plot.low) * share:.6g}") for share in shares]


def _curve(drawn: Drawn, plot: Plot, one: Series, places: tuple[float, ...]) -> Curve:
    expression = drawn.scene.expression(one.expression)
    values = [
        evaluate(
            expression,
            names={**drawn.scene.names, plot.x: Quantity.of(place, plot.x_unit)},
            facts=drawn.scene.facts,
        ).quantity
        for place in places
    ]
    unit = values[0].unit
    return Curve(one.name, one.name, unit, DIGITS, tuple(value.to(unit).magnitude for value in values))
