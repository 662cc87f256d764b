#!/bin/sh
# Prints the browser the tests drive, or says what installs it.
for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
	if command -v "$name"; then
		exit 0
	fi
done
echo "The tests drive a real browser, and there is none. Debian: apt-get install -y --no-install-recommends chromium" >&2
exit 1
