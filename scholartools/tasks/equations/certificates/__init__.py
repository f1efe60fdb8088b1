"""Whether two equations say the same: same, different or undecided, never a guess.

- ``certify``: the ways in their order: tokens, trees, probes, solving. ``evidence``: what a certificate holds.
- ``canonical``, ``comparison``: trees in one form and beside each other. ``relations``: which may be turned round.
- ``notation``: what may be two ways to write one thing.
- ``identities``, ``laws``: rules by which one may follow from another, and laws of signs that probes do not compute.
- ``definitions``: what operators are by definition, by which statements may be the same.
- ``conventions``: what signs mean in a field, a table with an example and a counter-example for each row.
- ``named``: laws of what letters commonly name, such as steps, weights and densities, spelled out.
- ``substitution``: other variables for those that are bound.
- ``probes``, ``values``, ``solving``: values at drawn numbers and matrices, and solutions for one symbol.
- ``tables``, ``joints``: joint probabilities from which all of a formula are computed, and what they tell apart.
- ``witness``: a point at which one holds and the other does not, for others to check.
- ``conditions``: which letters a formula fixes, so that what differs may be equal where it says anything.
- ``bounds``: where one of two bounds holds and the other does not, also if letters are positive or whole.
"""
