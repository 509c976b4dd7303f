# syntax=docker/dockerfile:1

# A release pins the image: --build-arg NODE_IMAGE=node:24-bookworm-slim@sha256:...
ARG NODE_IMAGE=node:24-bookworm-slim

# hadolint ignore=DL3006
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/kit/package.json packages/kit/
COPY packages/words/package.json packages/words/
COPY packages/sandbox/package.json packages/sandbox/
COPY packages/mcp/package.json packages/mcp/
RUN npm ci --include=dev --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.base.json ./
COPY src ./src
COPY packages/kit packages/kit
COPY packages/words packages/words
COPY packages/sandbox packages/sandbox
COPY packages/mcp packages/mcp
RUN npx tsc -b && npm prune --omit=dev --ignore-scripts

# hadolint ignore=DL3006
FROM ${NODE_IMAGE} AS peers
WORKDIR /app
COPY ops/image/package.json ops/image/package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund

# hadolint ignore=DL3006
FROM ${NODE_IMAGE} AS explorer
WORKDIR /app
COPY apps/package.json apps/package-lock.json apps/.npmrc apps/
COPY apps/explorer/package.json apps/explorer/
RUN npm ci --prefix apps --workspace explorer --omit=dev --ignore-scripts --no-audit --no-fund
COPY packages/client/src packages/client/src
COPY packages/kit/src packages/kit/src
COPY packages/words/src packages/words/src
COPY apps/explorer apps/explorer
RUN npm run --prefix apps/explorer build

# hadolint ignore=DL3006
FROM ${NODE_IMAGE} AS docs
WORKDIR /app
COPY apps/package.json apps/package-lock.json apps/.npmrc apps/
COPY apps/docs/package.json apps/docs/
RUN npm ci --prefix apps --workspace docs --ignore-scripts --no-audit --no-fund
COPY schema.graphql CHANGELOG.md ./
COPY docs docs
COPY examples examples
COPY packages/client/README.md packages/client/
COPY apps/export/README.md apps/export/
COPY apps/hooks/README.md apps/hooks/
COPY packages/mcp/README.md packages/mcp/
COPY packages/sandbox/README.md packages/sandbox/
COPY packages/words/README.md packages/words/
COPY apps/docs apps/docs
RUN npm run --prefix apps/docs build

# hadolint ignore=DL3006
FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="Portolan" \
      org.opencontainers.image.description="One GraphQL graph over chain indexers and a cross-chain router" \
      org.opencontainers.image.licenses="Apache-2.0"
# With a larger young part of the heap, less of what requests allocate is copied before it is garbage.
ENV NODE_ENV=production NODE_OPTIONS=--max-semi-space-size=32 HOST=0.0.0.0 PORT=4000
# Node finds the optional libraries here, above the folder of the gateway.
COPY --from=peers /app/node_modules /node_modules
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/packages/kit/dist packages/kit/dist
COPY --from=build /app/packages/words/dist packages/words/dist
COPY --from=build /app/packages/sandbox/dist packages/sandbox/dist
COPY --from=build /app/packages/mcp/dist packages/mcp/dist
COPY --from=explorer /app/dist/explorer ./dist/explorer
COPY --from=docs /app/dist/docs ./dist/docs
COPY package.json ./
COPY packages/graphiql packages/graphiql
COPY examples ./examples
USER 1000:1000
EXPOSE 4000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without chains, it ends and says what to set. SANDBOX=true serves the sandbox.
ENTRYPOINT ["node", "dist/main.js"]
