#!/bin/sh
# What a study does where people fill in the sheets of a batch: it ends until somebody says that they are back.
[ -e "$1/back" ] || {
    echo "Give each of $1/raters to its rater. When the sheets are back there: touch $1/back, and make again." >&2
    exit 1
}
