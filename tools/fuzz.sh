#!/bin/sh
# Runs each fuzz target for FUZZTIME, two at a time with one worker each. A
# crash is written into the package's testdata, to be kept as a case.
set -eu
cd "$(dirname "$0")/.."
grep -rlE --include='*_test.go' '^func Fuzz' app config db engine handlers mcp static views 2>/dev/null | sort | while read -r file; do
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file" | while read -r target; do
		echo "$(dirname "$file") $target"
	done
done | xargs -P 2 -L 1 sh -c 'go test -run "^$" -fuzz "^$2\$" -fuzztime "${FUZZTIME:-10s}" -parallel 1 "./$1" </dev/null' one
