/** Settings that are gone, by the names they had, each with what to do instead. */
const goneSettings: Readonly<Record<string, string>> = {
  workers: 'Run a gateway for each core, with one REDIS_URL and behind a proxy: docs/operating/scaling.md shows it.',
  warmUpMs: 'Leave it out: nothing is read before the gateway listens.',
  nftMedia:
    'Set NFT_METADATA for the metadata of NFTs, and NFT_PICTURE_URL for a proxy for their pictures: docs/nft-media.md.',
  nftMediaUrl: 'Set NFT_PICTURE_URL to the URL of a proxy for pictures: docs/nft-media.md.',
  nftArweaveGateway: 'Remove it: ar:// URIs are read at https://arweave.net.',
  maxMediaBytes: 'Remove it: a proxy for pictures limits their size.',
  maxMetadataBytes: 'Remove it: metadata of up to 256 KiB are read.',
  mediaTimeoutMs: 'Remove it: metadata are waited for five seconds.',
  maxMediaRequests: 'Remove it: 16 requests for metadata are open at once.',
  mediaCacheBytes: 'Remove it: metadata take up to 16 MiB.',
  mediaCacheTtlMs: 'Remove it: metadata are kept for an hour.',
  compileOperations: 'Remove it: operations are always compiled.',
  maxListRows: 'Remove it: a list inside a record has up to 5,000 rows.',
  maxBalanceChangeHashes: 'Remove it: balance changes read up to 1,000 hashes.',
  maxBalanceChangeAddresses: 'Remove it: balance changes read up to 1,000 texts like addresses.',
  maxBalanceChangeDenoms: 'Remove it: balance changes read up to 200 denoms.',
  maxCatchUpBlocks: 'Remove it: subscriptions of blocks begin up to 10,000 blocks back.',
  maxCompressions:
    'Remove it: four answers are compressed at once. To leave that to a proxy, let it remove Accept-Encoding from requests.',
  quoteTimeoutMs:
    'Remove it: quotes have 15 seconds. If yours need longer, set the time of the router in UPSTREAM_TIMEOUTS.',
  maxIndexerRequests: 'Set UPSTREAM_CONCURRENCY for the indexers that need another number than 256.',
  maxRouterRequests: 'Set UPSTREAM_CONCURRENCY, such as router=64, if the router needs another number than 256.',
  maxWaitingRequests: 'Remove it: up to 25,000 requests wait for one upstream.',
  maxPolls: 'Set UPSTREAM_CONCURRENCY, such as router=64: half of the requests to the router may be polls.',
  maxWatched: 'Remove it: up to 20,000 transfers, transactions and quotes are watched at once.',
  headIntervalMs: 'Remove it: the newest block of a chain is requested at most once a second, as indexers cache it.',
  quoteIntervalMs: 'Remove it: a quote that somebody subscribes to is requested every five seconds.',
  fullPaceViewers: 'Remove it: from two subscriptions on, a chain has its blocks requested every second.',
  lateAfterMs: 'Remove it: a chain without a new block for 30 seconds is late.',
  slowOperationMs: 'Remove it: an operation that takes a third of TIMEOUT_MS has a line in the log.',
  registryIntervalMs: 'Remove it: the chain registry is read every ten minutes, and at SIGHUP.',
  maxResponseBytes: 'Remove it: responses of up to 16 MiB are read.',
  defaultPageSize: 'Remove it: a page without `first` and `last` has 20 records, or MAX_PAGE_SIZE if that is less.',
  maxDepth: 'Remove it: MAX_COST bounds deep operations, and documents nest up to 700 levels.',
  maxRequestsPerOperation: 'Set MAX_COST: an operation sends up to one request for each 20 points of it.',
  maxBytesPerOperation: 'Set MAX_ANSWER_BYTES: it bounds what an operation reads from upstreams, too.',
  maxRowsPerOperation: 'Set MAX_COST: an answer has up to four rows for each point of it.',
  maxTokens: 'Set MAX_COST: a document has up to one token for each ten points of it, and 2,000 at least.',
  maxRequestBytes: 'Remove it: requests have up to 256 KiB.',
  maxNodes: 'Set MAX_PAGE_SIZE: it bounds the ids of one `nodes` field, too.',
  maxWaitingBytes: 'Set MAX_ANSWER_BYTES: eight answers of that size may wait for their readers.',
  maxWaitingBytesPerClient: 'Set MAX_ANSWER_BYTES: two answers of that size may wait for one client.',
  maxSubscriptions: 'Set MAX_OPEN_PER_CLIENT: it bounds WebSockets, streams and operations on WebSockets together.',
  maxStreamsPerClient: 'Set MAX_OPEN_PER_CLIENT: it bounds WebSockets, streams and operations on WebSockets together.',
  maxWatchedPerClient: 'Set MAX_OPEN_PER_CLIENT: a client watches as many transfers, transactions and quotes.',
  maxMessagesPerSecond: 'Remove it: messages of WebSockets take turns with those of other clients.',
  answerCacheBytes: 'Set CACHE_BYTES: a quarter of it is for whole answers.',
  mcpQuery: 'Set MCP=query.',
  sandboxOdd: 'Set SANDBOX=odd.',
  apiKeyRateLimits: 'Add its entries to RATE_LIMIT, such as 20000:100000,app=50000.',
  logFormat: 'Remove it: the log has lines to read on a terminal, and JSON elsewhere.',
  graphiql: 'Set PAGES, such as explorer,docs to serve no GraphiQL, or none.',
  explorer: 'Set PAGES, such as graphiql,docs to serve no explorer, or none.',
  docs: 'Set PAGES, such as graphiql,explorer to serve no docs, or none.',
  movingCacheTtlMs: 'Remove it: only what cannot change is cached.',
}

/** What to do about a name that was a setting: a flag without its dashes, a variable, or a key of the configuration file. */
const insteadOf: ReadonlyMap<string, string> = new Map(
  Object.entries(goneSettings).flatMap(([name, instead]) => {
    const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return [name, flag, flag.replaceAll('-', '_').toUpperCase()].map((form) => [form, instead] as const)
  }),
)

/** A sentence that a setting is gone, and what to do. Undefined for all other names. */
export function goneSetting(name: string): string | undefined {
  const instead = insteadOf.get(name.replace(/^--/, ''))
  return instead && `${name} is no longer a setting. ${instead}`
}
