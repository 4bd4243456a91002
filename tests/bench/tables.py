"""The output of benchmarks: numbers, Markdown tables, and a description of the machine."""
import datetime
import os
import platform
import subprocess


def amount(value, digits=2):
    if value is None:
        return "–"
    if value >= 1000:
        return f"{value:,.0f}".replace(",", " ")
    return f"{value:.{digits}f}" if value < 100 else f"{value:.0f}"


def table(header, rows):
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    lines = ["| " + " | ".join(str(cell).ljust(width) for cell, width in zip(row, widths)) + " |" for row in [header, *rows]]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def verdicts(rows):
    """A measured value beside its target. Each row has a name, a value, "≤" or "≥", a target or None, and the unit of value and
    target."""
    def verdict(value, sign, target):
        if target is None:
            return ""
        return "yes" if (value <= target if sign == "≤" else value >= target) else "NO"

    def text(value, unit):
        return f"{amount(value, 0 if isinstance(value, int) else 2)} {unit}".rstrip()

    return table(["what it must reach", "measured", "target", "met"],
                 [[what, text(value, unit), "" if target is None else f"{sign} {text(target, unit)}", verdict(value, sign, target)]
                  for what, value, sign, target, unit in rows])


def machine(node):
    first_line = lambda *command: subprocess.run(command, capture_output=True, text=True).stdout.split("\n")[0]  # noqa: E731
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    return (f"{datetime.date.today()}, {os.cpu_count()} cores of {model}, Linux {platform.release()}, "
            f"{first_line(os.environ.get('CXX', 'g++'), '--version')}, Node {first_line(node, '--version')}, "
            f"commit {first_line('git', 'rev-parse', '--short', 'HEAD')}")
