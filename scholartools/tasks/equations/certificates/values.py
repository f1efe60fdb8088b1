"""Arithmetic of probes: numbers, and 3 x 3 matrices as tuples of nine numbers by rows.

A number combined with matrices is that multiple of the identity. Smaller matrices have identities of their own: if
``A`` and ``B`` are 2 x 2, ``(A - A^T)(B - B^T)`` does not depend on the order of its factors.
"""

from __future__ import annotations

import math
import operator

Number = float | complex
Matrix = tuple[Number, Number, Number, Number, Number, Number, Number, Number, Number]
Value = Number | Matrix

HUGE = 1e60
EQUAL = 1e-9  # relative difference up to which two values are equal
UNEQUAL = 1e-6  # relative difference from which two values are different
_NOTHING = 1e-13  # smaller values may be rounding errors of 0, because sines and cosines are computed to 1e-16
_LOST = 1e-7  # smaller terms, relative to the largest, are lost in a sum
_FAINT = 1e-4  # the square of smaller terms is lost, so that equal values are no evidence
LOST, FAINT = 1, 2


class Undefined(Exception):
    """A value that cannot be computed for these numbers: division by zero, overflow, too many steps."""


def as_matrix(value: Value) -> Matrix:
    """The value as a matrix."""
    return value if isinstance(value, tuple) else (value, 0.0, 0.0, 0.0, value, 0.0, 0.0, 0.0, value)


def simplify(value: Value) -> Value:
    """Convert a multiple of the identity to a number, and a complex number without imaginary part to a real."""
    if isinstance(value, tuple):
        return simplify(value[0]) if value == as_matrix(value[0]) else value
    if isinstance(value, complex) and value.imag == 0:
        return value.real
    return value


def size(value: Value) -> float:
    """The largest absolute value of an entry.

    Raises:
        Undefined: the value is not finite, or at least :data:`HUGE`.
    """
    found = abs(value) if value.__class__ is float else max(map(abs, as_matrix(value)))  # type: ignore[arg-type]
    if not found < HUGE:
        raise Undefined
    return found


def multiply(left: Value, right: Value) -> Value:
    """The product, in this order."""
    if left.__class__ is right.__class__ is float:
        return left * right  # type: ignore[operator]
    if isinstance(left, tuple):
        if not isinstance(right, tuple):
            return tuple([one * right for one in left])  # type: ignore[return-value]
        a, b, c, d, e, f, g, h, i = left
        p, q, r, s, t, u, v, w, x = right
        return (
            *(a * p + b * s + c * v, a * q + b * t + c * w, a * r + b * u + c * x),
            *(d * p + e * s + f * v, d * q + e * t + f * w, d * r + e * u + f * x),
            *(g * p + h * s + i * v, g * q + h * t + i * w, g * r + h * u + i * x),
        )
    if isinstance(right, tuple):
        return tuple([left * one for one in right])  # type: ignore[return-value]
    return left * right


def plus(left: Value, right: Value) -> Value:
    """The sum."""
    if left.__class__ is right.__class__ is float:
        return left + right  # type: ignore[operator]
    if isinstance(left, tuple) or isinstance(right, tuple):
        return tuple(map(operator.add, as_matrix(left), as_matrix(right)))  # type: ignore[return-value]
    return left + right


def add(terms: list[Value]) -> tuple[Value, int]:
    """The sum of terms, and :data:`LOST`, :data:`FAINT` or 0 for the precision of small terms or of a small sum."""
    total: Value = terms[0]
    for term in terms[1:]:
        total = plus(total, term)
    sizes = list(map(size, terms))
    largest, result = max(sizes), size(total)
    least = min(filter(None, sizes), default=largest)
    if result < 1e-12 * largest:
        return 0.0, _weigh(least, largest)
    return total, _weigh(min(result, least), largest)


def _weigh(least: float, largest: float) -> int:
    return 0 if least >= _FAINT * largest else FAINT if least >= _LOST * largest else LOST


def invert(value: Value) -> Value:
    """The inverse.

    Raises:
        Undefined: the value is singular or nearly singular.
    """
    if isinstance(value, tuple):
        a, b, c, d, e, f, g, h, i = value
        whole = determinant(value)
        if abs(whole) < 1e-9 * max(1e-30, size(value) ** 3):
            raise Undefined
        cofactors = (
            *(e * i - f * h, c * h - b * i, b * f - c * e),
            *(f * g - d * i, a * i - c * g, c * d - a * f),
            *(d * h - e * g, b * g - a * h, a * e - b * d),
        )
        return multiply(1 / whole, cofactors)
    if abs(value) < 1e-30:
        raise Undefined
    return 1 / value


def determinant(value: Matrix) -> Number:
    """The determinant."""
    a, b, c, d, e, f, g, h, i = value
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def transpose(value: Value) -> Value:
    """The transpose."""
    return (*value[0::3], *value[1::3], *value[2::3]) if isinstance(value, tuple) else value  # type: ignore[return-value]


def power_of_matrix(value: Matrix, exponent: int) -> Value:
    """An integer power of a matrix."""
    base: Value = value if exponent >= 0 else invert(value)
    result: Value = 1.0
    for _ in range(abs(exponent)):
        result = multiply(result, base)
    return result


def compare(left: Value, right: Value) -> bool | None:
    """Whether two values are equal; None if they are too close to decide."""
    if isinstance(left, tuple) or isinstance(right, tuple):
        pairs = list(zip(as_matrix(left), as_matrix(right)))
    else:
        pairs = [(left, right)]
    largest = max(size(left), size(right))
    difference = max(abs(a - b) for a, b in pairs)
    if difference <= EQUAL * largest:
        return True
    return False if difference > UNEQUAL * largest and largest > _NOTHING else None


def is_whole(value: Value) -> bool:
    """Whether a value is a real integer up to rounding."""
    return isinstance(value, float) and math.isfinite(value) and abs(value - round(value)) < 1e-9
