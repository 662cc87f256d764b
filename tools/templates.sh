#!/bin/sh
# Refuses in templates what the content security policy would stop in the
# browser, and what htmx 4 no longer knows: a page with either looks right here
# and does nothing there.
set -eu
cd "$(dirname "$0")/.."
status=0

refuse() { # pattern, what would be right
	if hits=$(grep -rnE --include='*.templ' "$1" views); then
		echo "$hits"
		echo "  ^ $2"
		status=1
	fi
}

refuse '[[:space:]]style=|<style' 'No inline style: a class in static/css, or SVG attributes for measured geometry.'
refuse '<script[^>]*>[^<]' 'No inline script: a file in static/js.'
refuse '[[:space:]]on[a-z]+=|hx-on' 'No inline handler: listen in static/js.'
refuse 'js:|javascript:|templ\.JS|templ\.Raw|templ\.SafeURL' 'Nothing evaluated, and nothing past escaping.'
refuse 'hx-trigger="[^"]*\[' 'No filter in hx-trigger: it needs eval.'
refuse 'hx-ext|hx-vars|hx-disabled-elt|hx-request=|hx-disinherit|hx-history=|sse-swap|sse-connect|ws-connect' 'That is htmx 2; see node_modules/htmx.org/dist/skills.'
refuse 'hx-delete' 'hx-delete sends no form fields, so no operation key: use hx-post.'
exit $status
