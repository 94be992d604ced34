"""Frozen records. As ``@dataclass(frozen=True)``, without its import, which is most of a short command's start."""

from typing import Any, TypeVar, dataclass_transform

_Class = TypeVar("_Class", bound=type)
_Record = TypeVar("_Record")


@dataclass_transform(frozen_default=True)
def record(cls: _Class) -> _Class:  # noqa: UP047 - the command runs on Python 3.11 too
    """Give a class with annotated fields an ``__init__``, equality, a hash and a representation, and freeze it.

    Fields with a value in the class have it as their default. ``__post_init__`` is called when there is one.
    """
    names = tuple(cls.__annotations__)
    defaults = {name: vars(cls)[name] for name in names if name in vars(cls)}
    made: dict[str, Any] = {
        "__record_fields__": names,
        "__init__": _initialiser(cls.__name__, names, defaults, hasattr(cls, "__post_init__")),
        "__setattr__": _frozen,
        "__delattr__": _frozen,
        "__eq__": _equal,
        "__hash__": _hash,
        "__repr__": _representation,
    }
    for name, value in made.items():
        setattr(cls, name, value)
    return cls


def _initialiser(title: str, names: tuple[str, ...], defaults: dict[str, Any], checked: bool) -> Any:
    known = frozenset(names)
    required = [name for name in names if name not in defaults]

    def __init__(self: Any, *values: Any, **named: Any) -> None:
        given = {**dict(zip(names, values, strict=False)), **named} if values else named
        if len(given) != len(values) + len(named) or not known.issuperset(given):
            raise TypeError(f"{title} takes each of {', '.join(names)} once at most")
        if len(given) != len(names):
            missing = [name for name in required if name not in given]
            if missing:
                raise TypeError(f"{title} needs {', '.join(missing)}")
            given = defaults | given
        self.__dict__.update(given)
        if checked:
            self.__post_init__()

    return __init__


def fields(cls: Any) -> tuple[str, ...]:
    """The names of a record's fields, in order."""
    return cls.__record_fields__


def as_dict(record: Any) -> dict[str, Any]:
    """The fields and their values, in order, one level deep."""
    return {name: getattr(record, name) for name in record.__record_fields__}


def replace(record: _Record, **changes: Any) -> _Record:  # noqa: UP047
    """The same record with some fields changed, checked as a new one is."""
    return type(record)(**(as_dict(record) | changes))


def _values(record: Any) -> tuple[Any, ...]:
    return tuple(as_dict(record).values())


def _frozen(self: Any, name: str, *_: Any) -> None:
    raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be changed")


def _equal(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _representation(self: Any) -> str:
    inside = ", ".join(f"{name}={value!r}" for name, value in as_dict(self).items())
    return f"{type(self).__name__}({inside})"
