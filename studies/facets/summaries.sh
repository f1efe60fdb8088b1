#!/bin/sh
# Where the summaries of your systems come in: a program that adds `summaries` to each record of the file it is given.
echo "name a program that adds summaries to the records of $1: make SUMMARIES=... (README.md)" >&2
exit 1
