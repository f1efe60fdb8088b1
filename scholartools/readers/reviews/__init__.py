"""Read reviews of papers.

- ``reader``: reads a file into reviews by paper. ``openreview``: notes of OpenReview. ``plain``: lists of reviews.
- ``form``: the fields of a review form. ``forums``: a forum of OpenReview with its decision and discussion.
"""
