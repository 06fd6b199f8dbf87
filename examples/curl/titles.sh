#!/bin/sh
# Prints the titles that start with a letter, ten at a time, until the wiki says there are no more.
# Run it: wikitape exec --cassette cassettes/ru-1.43 -- sh examples/curl/titles.sh Р
set -eu
from=${1:-Р}
next=$from

while [ -n "$next" ]; do
  answer=$(curl --silent --show-error --fail --get "$WIKITAPE_API_URL" \
    --data format=json --data utf8=1 \
    --data action=query --data list=allpages --data aplimit=10 --data-urlencode "apfrom=$next")
  titles=$(printf '%s' "$answer" | grep -o '"title":"[^"]*"' | sed 's/.*:"//; s/"$//')
  printf '%s\n' "$titles" | grep "^$from" || exit 0
  case $(printf '%s\n' "$titles" | tail -n 1) in "$from"*) ;; *) exit 0 ;; esac
  next=$(printf '%s' "$answer" | sed -n 's/.*"apcontinue":"\([^"]*\)".*/\1/p')
done
