#!/usr/bin/env bash
# Plays the published example, or what is left of it, and writes its tables and its page: bash results/example.sh
#   --anew     play all of it again: after a change of the rules, of what players are told, or of an agent
#   --tables   play nothing: after a change of the tables or of the page
set -euo pipefail
cd "$(dirname "$0")/.."
dale=${DALE:-.venv/bin/dale}
run=results/example

[ "${1:-}" != --anew ] || rm -rf "$run"
if [ "${1:-}" != --tables ]; then
  "$dale" tournament run example $([ ! -e "$run" ] || echo --resume)
fi
COLUMNS=80 "$dale" report "$run" >"$run/report.txt.part"
mv "$run/report.txt.part" "$run/report.txt"
"$dale" report "$run" --html "$run/page.html"
