"""Reviews of papers.

- ``reader``: a file of reviews in, reviews by paper out. ``openreview``: its notes. ``plain``: lists of reviews.
- ``form``: the fields of a review form. ``forums``: a forum with its decision and discussion.
"""
