"""Prefixes become numbers here and nowhere else. Everything else in the core is in base units.

Decimal prefixes are powers of ten, for operations as for bytes: a TFLOP is 1e12 FLOP. Binary ones are powers of two.
"""

KB, MB, GB, TB, PB = 1e3, 1e6, 1e9, 1e12, 1e15
KIB, MIB, GIB, TIB, PIB = (float(2**power) for power in (10, 20, 30, 40, 50))
GBIT_PER_S = 1e9 / 8
"""One gigabit per second, as network links are sold, in bytes per second."""
GFLOP, TFLOP, PFLOP = 1e9, 1e12, 1e15
US, MS = 1e-6, 1e-3
MINUTE_S, HOUR_S, DAY_S = 60.0, 3600.0, 86400.0
YEAR_S = 365.25 * DAY_S
BITS_PER_BYTE = 8
MILLION = 1e6
