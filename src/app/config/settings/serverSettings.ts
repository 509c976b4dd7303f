import { z } from 'zod'
import {
  hostNames,
  publicUrl,
  redisPrefix,
  redisUrl,
  signingKeys,
  text,
  wholeNumber,
  workers,
} from '../../../engine/network/parsers.ts'
import { boolean, type ParsedSetting } from './setting.ts'

/** The process: where it listens, what it serves, how it logs, and what it shares with others. */
export const serverSettings = {
  config: {
    env: 'PORTOLAN_CONFIG',
    value: '<file>',
    help: 'Configuration file: JSON, with comments if you like.',
    fallback: 'none',
    schema: text.optional(),
  },
  port: {
    value: '<number>',
    help: 'Port to listen on. `sandbox` also uses the ports after it.',
    fallback: '4000, or 4100 for `sandbox`',
    schema: wholeNumber(0, 65_535).optional(),
  },
  metricsPort: {
    value: '<number>',
    help: 'Port of its own for /metrics.',
    fallback: 'the port of the graph',
    schema: wholeNumber(0, 65_535).optional(),
  },
  workers: {
    value: '<number|auto>',
    help: 'Processes that serve the graph on one port. `auto` is one for each core.',
    fallback: '1',
    schema: workers,
  },
  warmUpMs: {
    value: '<milliseconds>',
    help: 'Milliseconds, at most, before it listens in which it reads pages of its chains for itself, so that the first ones of clients are not slow. Each process reads 100 at most, and none if it only runs trusted documents. 0 for none.',
    fallback: '1000, or 0 with the sandbox',
    schema: wholeNumber(0, 30_000).optional(),
  },
  host: {
    value: '<address>',
    help: 'Address to listen on.',
    fallback: '127.0.0.1',
    schema: z
      .string()
      .regex(/^[\w.:-]+$/, 'must be an address or a host name')
      .default('127.0.0.1'),
  },
  logLevel: {
    value: '<level>',
    help: 'Lowest level to log: trace, debug, info, warn, error, fatal or silent.',
    fallback: 'info',
    schema: z
      .enum(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'must be trace, debug, info, warn, error, fatal or silent',
      )
      .default('info'),
  },
  logFormat: {
    value: '<auto|json|pretty>',
    help: 'Format of the log. `auto` is `pretty` on a terminal, and `json` elsewhere.',
    fallback: 'auto',
    schema: z.enum(['auto', 'json', 'pretty'], 'must be auto, json or pretty').default('auto'),
  },
  graphiql: {
    value: '<true|false>',
    help: 'Serve GraphiQL to browsers.',
    fallback: 'true',
    schema: boolean(true),
  },
  explorer: {
    value: '<true|false>',
    help: 'Serve the explorer of all chains at /, if it has been built.',
    fallback: 'true',
    schema: boolean(true),
  },
  docs: {
    value: '<true|false>',
    help: 'Serve the documentation at /docs/, if it has been built.',
    fallback: 'true',
    schema: boolean(true),
  },
  federation: {
    value: '<true|false>',
    help: 'Serve the graph as a subgraph too, for routers of Federation 2.',
    fallback: 'false',
    schema: boolean(false),
  },
  mcp: {
    value: '<true|false>',
    help: 'Serve tools for agents over MCP, at /mcp.',
    fallback: 'false',
    schema: boolean(false),
  },
  mcpQuery: {
    value: '<true|false>',
    help: 'Let agents also send GraphQL queries of their own over MCP. They may cost a quarter of MAX_COST.',
    fallback: 'false',
    schema: boolean(false),
  },
  mcpHosts: {
    value: '<host,...>',
    help: 'Host names by which /mcp is reached. Requests that name others are refused.',
    fallback: 'this machine only',
    schema: hostNames,
  },
  nftMedia: {
    value: '<true|false>',
    help: 'Read the metadata of NFTs from their URIs, and serve their pictures at /media. It fetches from public hosts that anybody can name.',
    fallback: 'false',
    schema: boolean(false),
  },
  nftMediaUrl: {
    value: '<url>',
    help: 'URL at which browsers reach the gateway, which URLs of pictures begin with.',
    fallback: 'none: they are paths',
    schema: publicUrl.optional(),
  },
  nftIpfsGateway: {
    value: '<url>',
    help: 'Gateway for ipfs:// URIs of NFTs, on a public address.',
    fallback: 'https://ipfs.io/ipfs/',
    schema: publicUrl.optional(),
  },
  nftArweaveGateway: {
    value: '<url>',
    help: 'Gateway for ar:// URIs of NFTs, on a public address.',
    fallback: 'https://arweave.net/',
    schema: publicUrl.optional(),
  },
  introspection: {
    value: '<true|false>',
    help: 'Allow introspection of the schema, and serve it at /schema.graphql.',
    fallback: 'true',
    schema: boolean(true),
  },
  compileOperations: {
    value: '<true|false>',
    help: 'Compile operations. If false, graphql-js runs all of them.',
    fallback: 'true',
    schema: boolean(true),
  },
  signingKeys: {
    value: '<key,...>',
    help: 'Keys that sign cursors and route tokens, 32 characters or more each. The first signs, all are accepted. Replicas need the same.',
    fallback: 'a key made at each start, or one that everyone knows with the sandbox',
    isSecret: true,
    canBeFile: true,
    schema: signingKeys.optional(),
  },
  redisUrl: {
    value: '<url>',
    help: 'Redis or Valkey that the gateways of a fleet share, as redis:// or rediss://.',
    fallback: 'none: each gateway is alone',
    isSecret: true,
    canBeFile: true,
    schema: redisUrl.optional(),
  },
  redisPrefix: {
    value: '<text>',
    help: 'What the keys in Redis begin with. Gateways with the same one are a fleet.',
    fallback: 'portolan',
    schema: redisPrefix,
  },
} satisfies Record<string, ParsedSetting>
