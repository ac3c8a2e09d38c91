# Gangan as an image: the npm package, its production dependencies, and Node.
#   docker build -t gangan .
# Another base image: --build-arg BASE=... It needs Node 20.19 or later, npm and glibc.
ARG BASE=docker.io/library/node:24-slim

FROM ${BASE} AS build
WORKDIR /build
COPY . .
# Behind a proxy or a registry of your own, as secrets that stay out of the image:
#   docker build --secret id=ca,src=company-ca.pem --secret id=npmrc,src=$HOME/.npmrc -t gangan .
# What is packed is what `npx gangan` runs: nothing of the build is left behind. Not `npm ci`: it refuses a lock file that
# does not name the binaries of every platform, and one that was written behind a mirror without them does not.
RUN --mount=type=secret,id=ca --mount=type=secret,id=npmrc \
  if [ -f /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi \
  && if [ -f /run/secrets/npmrc ]; then export NPM_CONFIG_USERCONFIG=/run/secrets/npmrc; fi \
  && npm install --no-audit --no-fund \
  && npm pack \
  && npm install --prefix /app --omit=dev --no-audit --no-fund ./gangan-*.tgz

FROM ${BASE}
# The embedded PostgreSQL wants to know who it runs as, and never runs as root.
RUN (getent passwd 1000 > /dev/null || useradd --uid 1000 --no-create-home gangan) \
  && install -d -o 1000 -g 1000 /data
COPY --from=build /app/node_modules /app/node_modules
ENV HOST=0.0.0.0 PORT=8080 GANGAN_DATA=/data
WORKDIR /data
USER 1000
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/node_modules/gangan/bin/gangan.mjs"]
CMD ["serve"]
