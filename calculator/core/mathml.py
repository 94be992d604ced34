"""Formulas as MathML: ``gpus * memory / 2`` becomes a fraction that browsers set and screen readers read."""

import ast
from html import escape

_OPERATORS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "·"}
_WRITTEN = {"·": "*", "×": "*", "−": "-", "²": "**2", "^": "**"}


def to_mathml(formula: str) -> str:
    """A formula in plain text as one ``<math>`` element.

    Understands names, numbers, ``+ - * / ^``, brackets and calls such as ``max(a, b)``; underscores in names become
    spaces. Raises ValueError for anything else.
    """
    text = formula
    for sign, operator in _WRITTEN.items():
        text = text.replace(sign, operator)
    try:
        tree = ast.parse(text, mode="eval")
    except SyntaxError as error:
        raise ValueError(f"not a formula: {formula}") from error
    return f'<math displaystyle="true"><mrow>{_node(tree.body)}</mrow></math>'


def _node(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return f"<mi>{escape(name.replace('_', ' '))}</mi>"
        case ast.Constant(value) if isinstance(value, int | float) and not isinstance(value, bool):
            return f"<mn>{value:g}</mn>" if value < 1e6 else _power_of_ten(value)
        case ast.BinOp(left, ast.Div(), right):
            return f"<mfrac><mrow>{_node(left)}</mrow><mrow>{_node(right)}</mrow></mfrac>"
        case ast.BinOp(left, ast.Pow(), right):
            return f"<msup><mrow>{_bracketed(left, ast.BinOp)}</mrow><mrow>{_node(right)}</mrow></msup>"
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
            sign = _OPERATORS[type(operator)]
            return f"{_operand(left, operator)}<mo>{sign}</mo>{_operand(right, operator, right=True)}"
        case ast.UnaryOp(ast.USub(), operand):
            return f"<mo>−</mo>{_bracketed(operand, ast.BinOp)}"
        case ast.Call(ast.Name(name), arguments, []):
            inside = "<mo>,</mo>".join(_node(argument) for argument in arguments)
            return f"<mi>{escape(name)}</mi><mo>(</mo>{inside}<mo>)</mo>"
    raise ValueError("a formula has names, numbers, + - * / ^, brackets and calls only")


def _operand(node: ast.expr, operator: ast.operator, *, right: bool = False) -> str:
    """An operand, in brackets where it binds less tightly than the operator beside it."""
    looser = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    if looser and (isinstance(operator, ast.Mult) or (right and isinstance(operator, ast.Sub))):
        return f"<mo>(</mo>{_node(node)}<mo>)</mo>"
    return _node(node)


def _bracketed(node: ast.expr, kind: type[ast.expr]) -> str:
    return f"<mo>(</mo>{_node(node)}<mo>)</mo>" if isinstance(node, kind) else _node(node)


def _power_of_ten(value: float) -> str:
    exponent = len(str(int(value))) - 1
    mantissa = value / 10**exponent
    power = f"<msup><mn>10</mn><mn>{exponent}</mn></msup>"
    return power if mantissa == 1 else f"<mn>{mantissa:g}</mn><mo>·</mo>{power}"
