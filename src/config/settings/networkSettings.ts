import { z } from 'zod'
import { headersByService, pairs, pairsOfServices, upstreamUrl, vmKinds } from '../parsers.ts'
import { boolean, type ParsedSetting, withinLimit } from './setting.ts'

/** The chains and the router, and how they are requested. */
export const networkSettings = {
  indexers: {
    value: '<chainId=url,...>',
    help: 'Chains to serve, each with the URL of its indexer.',
    isSecret: true,
    canBeFile: true,
    schema: pairs(upstreamUrl).optional(),
  },
  routerUrl: {
    value: '<url>',
    help: 'URL of the cross-chain router.',
    fallback: 'none, or the router of the sandbox',
    isSecret: true,
    canBeFile: true,
    schema: upstreamUrl.optional(),
  },
  sandboxOdd: {
    value: '<true|false>',
    help: 'Make the sandbox as odd as real services can be, to test a client. As a flag, it also serves the sandbox.',
    fallback: 'false',
    schema: boolean(false),
  },
  defaultChain: {
    value: '<chainId>',
    help: 'Chain of queries that do not name one.',
    fallback: 'the first chain',
    schema: z.string().optional(),
  },
  chainRegistry: {
    value: '<file or url>',
    help: 'Chain registry (JSON). Chains that list an indexer are served.',
    isSecret: true,
    schema: z.string().optional(),
  },
  vmKinds: {
    value: '<chainId=evm|move|wasm,...>',
    help: 'Virtual machine of each chain.',
    fallback: 'detected through the indexer',
    schema: vmKinds.optional(),
  },
  upstreamHeaders: {
    value: '<json>',
    help: 'Headers to send upstream: {"<chainId or router>": {"<name>": "<value>"}}.',
    isSecret: true,
    canBeFile: true,
    schema: headersByService.optional(),
  },
  upstreamTimeouts: {
    value: '<chainId or router=ms,...>',
    help: 'Longest time of a request to one service, in milliseconds.',
    fallback: 'UPSTREAM_TIMEOUT_MS',
    schema: pairsOfServices(withinLimit('upstreamTimeoutMs')).optional(),
  },
  upstreamConcurrency: {
    value: '<chainId or router=n,...>',
    help: 'Maximum number of requests open at once to one service.',
    fallback: 'MAX_INDEXER_REQUESTS, MAX_ROUTER_REQUESTS',
    schema: pairsOfServices(withinLimit('maxIndexerRequests')).optional(),
  },
} satisfies Record<string, ParsedSetting>
