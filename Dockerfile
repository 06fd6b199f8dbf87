# A cassette server for tests that run in containers; docs/ci.md has how it is used.
# The base by its digest: --build-arg NODE_IMAGE=node:22-slim@sha256:…, as docs/releasing.md tells.
ARG NODE_IMAGE=node:22-slim

FROM ${NODE_IMAGE} AS packed
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && mkdir /packed && npm pack --ignore-scripts --pack-destination /packed
# The files of the package, beside what the lockfile names.
WORKDIR /opt/wikitape
RUN tar -xzf /packed/wikitape-*.tgz --strip-components=1 && cp /src/package-lock.json . \
    && npm ci --omit=dev --ignore-scripts

FROM ${NODE_IMAGE}
COPY --from=packed /opt/wikitape /opt/wikitape
RUN ln -s /opt/wikitape/dist/cli/start.cjs /usr/local/bin/wikitape
# Recordings belong to whoever mounts the folder; nothing here needs more rights than that. By its number, so that a
# cluster sees that it is not root; any other works, too.
USER 1000:1000
WORKDIR /work
EXPOSE 4050
# Asks the port of the command that runs.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "const [, port = 4050] = /--port[=\\0](\\d+)/.exec(fs.readFileSync('/proc/1/cmdline', 'utf8')) ?? []; fetch(`http://127.0.0.1:${port}/__wikitape/summary`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["wikitape"]
CMD ["replay", "--host", "0.0.0.0"]
