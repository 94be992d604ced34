"""What the content folders hold, said at a start."""

from designs.loader import load_designs


def content_report() -> list[str]:
    """One line for the designs that are there, and the reasons for each that was refused."""
    loaded = load_designs()
    names = ", ".join(loaded.designs) or "none"
    lines = [f"Designs: {names}"]
    for refused in loaded.refused:
        lines.append(f"Design {refused.name} was refused and is left out:")
        lines += [f"  {problem.file}:{problem.line}: {problem.message}" for problem in refused.problems]
    return lines
