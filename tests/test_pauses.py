"""The forms in which servers ask for a pause."""

from __future__ import annotations

import math
import time
from datetime import UTC, datetime
from email.utils import formatdate

import pytest

from scholartools.pauses import asked_pause


@pytest.mark.parametrize(
    ("headers", "until", "seconds"),
    [
        ({"Retry-After": "20"}, None, 20), ({"retry-after-ms": "1500"}, None, 1.5),
        ({"Retry-After": "2", "Retry-After-Ms": "9000000"}, None, 9000), ({"Retry-After": "2, 5"}, None, 5),
        ({"Retry-After": "0", "retry-after-ms": "0"}, None, 0), ({"retry-after-ms": "soon"}, None, None),
        ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, None, 0), ({"Retry-After": "nan"}, None, None),
        ({"Retry-After": "-5"}, None, None), ({"Retry-After": "Fri, 31 Dec 99999 23:59:59 GMT"}, None, math.inf),
        ({}, None, None), ({"Retry-After": "\uff12"}, None, None), ({"Retry-After": ""}, None, None),
        ({"Retry-After": ","}, None, None), ({"retry-after": " 7.5 "}, None, 7.5), ({}, 3, 3), ({}, "4.5", 4.5),
        ({"retry-after": "2"}, 3, 3), ({}, True, None), ({}, [1], None), ({}, "2015-10-21T07:28:00Z", 0),
        ({}, "tomorrow", None), ({}, "9" * 400, math.inf),
    ],
)  # fmt: skip
def test_the_longest_pause_that_is_asked_for_counts(headers, until, seconds):
    assert asked_pause(headers, until) == seconds


def test_a_date_is_a_pause_up_to_then():
    moment = time.time() + 60
    forms = [formatdate(moment, usegmt=True), datetime.fromtimestamp(moment, UTC).isoformat()]
    forms += [datetime.fromtimestamp(moment, UTC).isoformat().replace("+00:00", end) for end in ("Z", "")]
    for date in forms:
        assert asked_pause({"Retry-After": date}) == pytest.approx(60, abs=2)
        assert asked_pause({}, date) == pytest.approx(60, abs=2)
