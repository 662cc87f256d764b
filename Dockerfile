# Scripts for the browser, at the versions of the lock file.
FROM node:22-bookworm-slim AS vendor
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY static/vendor ./static/vendor
RUN npm run --silent vendor

FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=vendor /src/static/vendor ./static/vendor
ARG VERSION=dev
RUN CGO_ENABLED=0 go build -ldflags "-X main.version=${VERSION}" -o /crewlet ./app

# Node.js stays in the image: most MCP servers start by npx. PostgreSQL is there
# for a node without CREWLET_DATABASE_URL, and for backups.
FROM node:22-bookworm-slim
RUN apt-get update \
	&& apt-get install -y --no-install-recommends ca-certificates postgresql-15 tini \
	&& rm -rf /var/lib/apt/lists/* \
	&& useradd --create-home --uid 10001 crewlet \
	&& install -d -o crewlet -g crewlet -m 0700 /var/lib/crewlet
COPY --from=build /crewlet /usr/local/bin/crewlet
USER crewlet
WORKDIR /home/crewlet
ENV CREWLET_DATA=/var/lib/crewlet
VOLUME /var/lib/crewlet
EXPOSE 8080
# An init, -s so that it reaps even under another one: children of children may
# outlive their parents.
ENTRYPOINT ["tini", "-s", "--", "crewlet"]
CMD ["serve"]
