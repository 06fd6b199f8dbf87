# A cassette server for tests that run in containers: docker run -v "$PWD/cassettes:/work/cassettes" -p 4050:4050 wikitape
FROM node:22-slim AS packed
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /packed

FROM node:22-slim
COPY --from=packed /packed/ /packed/
RUN npm install --global --omit=dev /packed/wikitape-*.tgz && rm -r /packed
# Recordings belong to whoever mounts the folder; nothing here needs more rights than that.
USER node
WORKDIR /work
EXPOSE 4050
ENTRYPOINT ["wikitape"]
CMD ["replay", "--host", "0.0.0.0"]
