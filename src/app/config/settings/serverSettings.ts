import { z } from 'zod'
import {
  hostNames,
  pages,
  pictureUrl,
  publicUrl,
  redisPrefix,
  redisUrl,
  signingKeys,
  text,
  wholeNumber,
} from '../../../engine/network/parsers.ts'
import { boolean, booleanOr, type ParsedSetting } from './setting.ts'

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
  pages: {
    value: '<page,...>',
    help: 'Pages to serve to browsers: graphiql, the explorer of all chains at /, the docs at /docs/, or none.',
    fallback: 'graphiql,explorer,docs',
    schema: pages,
  },
  federation: {
    value: '<true|false>',
    help: 'Serve the graph as a subgraph too, for routers of Federation 2.',
    fallback: 'false',
    schema: boolean(false),
  },
  mcp: {
    value: '<true|false|query>',
    help: 'Serve tools for agents over MCP, at /mcp. With `query`, agents may also send GraphQL queries of their own, which may cost a quarter of MAX_COST.',
    fallback: 'false',
    schema: booleanOr('query'),
  },
  mcpHosts: {
    value: '<host,...>',
    help: 'Host names by which /mcp is reached. Requests that name others are refused.',
    fallback: 'this machine only',
    schema: hostNames,
  },
  nftMetadata: {
    value: '<true|false>',
    help: 'Read the metadata of NFTs from their URIs. It fetches from public hosts that anybody can name.',
    fallback: 'false',
    schema: boolean(false),
  },
  nftPictureUrl: {
    value: '<url>',
    help: 'URL of a picture of an NFT at your proxy for pictures, with {url} where that of the picture goes.',
    fallback: 'none: only pictures that metadata contain have a URL',
    schema: pictureUrl.optional(),
  },
  nftIpfsGateway: {
    value: '<url>',
    help: 'Gateway for ipfs:// URIs of NFTs, on a public address.',
    fallback: 'https://ipfs.io/ipfs/',
    schema: publicUrl.optional(),
  },
  introspection: {
    value: '<true|false>',
    help: 'Allow introspection of the schema, and serve it at /schema.graphql.',
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
