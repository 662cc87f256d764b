# What a person does with this repository. `make run` needs Go and Node.js (npm);
# everything else is fetched at the versions of go.sum and package-lock.json.

VERSION   ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TESTFLAGS ?=

# What there is of ours, for programs that take files and not packages.
GO_DIRS   := $(wildcard app config db engine handlers mcp static views docs/demo)
LINTERS   := bin/lint/.built

.PHONY: run demo build vendor test check bench pictures fuzz gen

# Builds, finds PostgreSQL (or fetches a copy into .crewlet/) and serves.
run: build
	@if [ -z "$$CREWLET_DATABASE_URL" ]; then tools/postgres.sh >/dev/null; fi
	@exec bin/crewlet serve

# The same program with a small company in it, in a data folder of its own:
# servers that run, one that fails, one that waits for a secret, and six weeks
# of work in three projects.
demo: build
	@if [ -z "$$CREWLET_DATABASE_URL" ]; then CREWLET_DATA=.crewlet/demo tools/postgres.sh >/dev/null; fi
	@CREWLET_DATA=.crewlet/demo bin/crewlet demo
	@exec env CREWLET_DATA=.crewlet/demo bin/crewlet serve

build: vendor
	go build -ldflags "-X main.version=$(VERSION)" -o bin/crewlet ./app

# Fills static/vendor, which the binary embeds.
vendor: static/vendor/htmx.min.js

static/vendor/htmx.min.js: node_modules/.package-lock.json
	npm run --silent vendor

node_modules/.package-lock.json: package.json package-lock.json
	npm ci --no-audit --no-fund
	@touch $@

# Everything, the browser included. Nothing is skipped, so what is missing is
# said at once.
test: vendor
	@tools/chromium.sh >/dev/null
	CREWLET_PG_BIN="$$(tools/postgres.sh)" go test $(TESTFLAGS) ./...

# The gate: form, linters, fresh templates, nothing dead.
check: vendor $(LINTERS)
	@unformatted="$$(gofmt -l $(GO_DIRS))"; if [ -n "$$unformatted" ]; then \
		echo "Not formatted; run gofmt -w on:"; echo "$$unformatted"; exit 1; fi
	go vet ./... && go vet -tags bench ./app && go vet -tags pictures ./app
	go tool templ fmt -fail -log-level warn views
	go tool templ generate -check -log-level warn
	tools/templates.sh
	tools/scripts.sh
	bin/lint/staticcheck ./...
	bin/lint/gocyclo -over 12 -ignore '_(templ|test)\.go$$' $(GO_DIRS)
	@dead="$$(bin/lint/deadcode -test ./...)"; if [ -n "$$dead" ]; then \
		echo "Reached from nowhere:"; echo "$$dead"; exit 1; fi

$(LINTERS): tools/go.mod tools/go.sum
	go -C tools build -o $(CURDIR)/bin/lint/ tool
	@touch $@

# Measures what the budgets name and writes docs/benchmarks.md; fails past one.
bench: vendor
	CREWLET_PG_BIN="$$(tools/postgres.sh)" go test -tags bench -count=1 -timeout 15m -run TestBudgets -v ./app

# Takes the README's pictures anew, of the demo company: docs/pictures.
pictures: vendor
	@tools/chromium.sh >/dev/null
	CREWLET_PG_BIN="$$(tools/postgres.sh)" go test -tags pictures -count=1 -run TestPictures ./app

# Each fuzz target for FUZZTIME (10s).
fuzz: vendor
	tools/fuzz.sh

# Writes the Go of every .templ; what it writes is committed.
gen:
	go tool templ generate
