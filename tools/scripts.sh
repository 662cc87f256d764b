#!/bin/sh
# Refuses scripts that do not parse, and what the content security policy or the
# rules of the house keep out of them.
set -eu
cd "$(dirname "$0")/.."
for file in static/js/*.js; do
	node --check "$file"
done
if grep -nE 'eval\(|new Function|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\.style\b|htmx:(after|before|config)[A-Z]' static/js/*.js; then
	echo "  ^ No eval, no HTML or style made of strings, and no event names of htmx 2."
	exit 1
fi
