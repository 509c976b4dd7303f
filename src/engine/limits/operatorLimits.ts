import { kibibyte, type Limit, mebibyte } from './limit.ts'

/** The limits that concern only whoever operates the gateway: its upstreams, its memory, and when it acts. */
export const operatorLimits = {
  maxConnections: {
    scope: 'machine',
    default: 15_000,
    min: 1,
    max: 1_000_000,
    unit: 'connections',
    description: 'Maximum number of client connections open at once.',
  },
  maxWaitingBytes: {
    scope: 'process',
    default: 256 * mebibyte,
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum number of bytes of answers that are written and not read yet, for all clients of a process. Beyond it operations are refused with status 503.',
  },
  maxWaitingBytesPerClient: {
    scope: 'client',
    default: 64 * mebibyte,
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum number of bytes of answers that are written and that one client has not read yet. Beyond it its operations are refused with status 429.',
  },
  maxCompressions: {
    scope: 'process',
    default: 4,
    min: 0,
    max: 64,
    unit: 'answers',
    description:
      'Maximum number of answers of the graph that are compressed at once, on threads of their own. Further ones are sent as they are. 0 turns compression off, where a proxy compresses.',
  },
  upstreamTimeoutMs: {
    scope: 'process',
    default: 5_000,
    min: 100,
    max: 120_000,
    unit: 'ms',
    description: 'Longest time that one request to an upstream may take.',
  },
  quoteTimeoutMs: {
    scope: 'process',
    default: 15_000,
    min: 100,
    max: 120_000,
    unit: 'ms',
    description:
      'Longest time that the router may take to quote a route, or to make its messages. At least as long as its other requests.',
  },
  maxIndexerRequests: {
    scope: 'machine',
    default: 256,
    min: 1,
    max: 10_000,
    unit: 'requests',
    description: 'Maximum number of requests open at once to one indexer. Others wait for their turn.',
  },
  maxRouterRequests: {
    scope: 'machine',
    default: 256,
    min: 1,
    max: 10_000,
    unit: 'requests',
    description: 'Maximum number of requests open at once to the router. Others wait for their turn.',
  },
  maxWaitingRequests: {
    scope: 'machine',
    default: 25_000,
    min: 100,
    max: 10_000_000,
    unit: 'requests',
    description:
      'Maximum number of requests that wait for one upstream. It bounds the memory: a request waits until the deadline of its operation at most.',
  },
  maxPolls: {
    scope: 'machine',
    default: 5_000,
    min: 1,
    max: 10_000,
    unit: 'requests',
    description:
      'Maximum number of polls open at once, over all transfers and quotes. At most half of the requests to the router, and by default that half.',
  },
  maxWatched: {
    scope: 'machine',
    default: 20_000,
    min: 1,
    max: 10_000_000,
    unit: 'transfers',
    description: 'Maximum number of transfers, transactions and quotes that all clients watch at once.',
  },
  headIntervalMs: {
    scope: 'process',
    default: 1_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    description:
      'Shortest time between two requests for the newest block of a chain that somebody subscribes to. The gateway learns how often blocks come, and sends a request when one is due, at least every 6 seconds. Indexers cache a block for a second.',
  },
  quoteIntervalMs: {
    scope: 'process',
    default: 5_000,
    min: 1_000,
    max: 60_000,
    unit: 'ms',
    description:
      'Time between two requests for a quote that somebody subscribes to, from each process. All subscribers with the same question share them. If the router limits requests, make it longer.',
  },
  fullPaceViewers: {
    scope: 'process',
    default: 2,
    min: 1,
    max: 10_000,
    unit: 'viewers',
    description:
      'A chain with this many subscriptions has its newest block requested as often as the head interval allows. A chain with fewer has less frequent requests for blocks and accounts: one subscription gets one every 2 seconds by default. At 5, one subscriber costs about what it costs to poll, every 5 seconds. 1 for always. A client that waits for a transaction or a height counts as enough, and so does one subscriber to a process that shares its polls with others.',
  },
  lateAfterMs: {
    scope: 'process',
    default: 30_000,
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    description: 'Time without a new block until subscribers get the notice that a chain is late.',
  },
  slowOperationMs: {
    scope: 'process',
    default: 5_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    description:
      'A query or mutation that takes at least this long has a line in the log, with its name, time, cost and number of upstream requests. 0 for none.',
  },
  registryIntervalMs: {
    scope: 'process',
    default: 600_000,
    min: 0,
    max: 86_400_000,
    unit: 'ms',
    description:
      'Time between two reads of the chain registry, whose changes are then served. 0 reads it only at start and at SIGHUP.',
  },
  shutdownDelayMs: {
    scope: 'process',
    default: 0,
    min: 0,
    max: 300_000,
    unit: 'ms',
    description:
      'Time from a signal to stop until it stops listening. Meanwhile `/ready` is 503, so that load balancers choose another gateway.',
  },
  maxResponseBytes: {
    scope: 'process',
    default: 16 * mebibyte,
    min: 64 * kibibyte,
    max: 1024 * mebibyte,
    unit: 'bytes',
    description: 'Largest response read from an upstream.',
  },
  cacheBytes: {
    scope: 'machine',
    default: 32 * mebibyte,
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    description: 'Maximum memory for the cached responses of one upstream.',
  },
  cacheTtlMs: {
    scope: 'process',
    default: 3_600_000,
    min: 0,
    max: 30 * 86_400_000,
    unit: 'ms',
    description:
      'Longest time that answers, and responses that cannot change, are cached: a chain may be reset, or indexed again. 0 turns both caches off.',
  },
  movingCacheTtlMs: {
    scope: 'process',
    default: 0,
    min: 0,
    max: 1_000,
    unit: 'ms',
    description:
      'Longest time that responses of indexers that can change are cached. Indexers cache them for a second themselves.',
  },
  answerCacheBytes: {
    scope: 'machine',
    default: 24 * mebibyte,
    min: 0,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum memory for whole answers, each kept while it stays true. A repeated operation is answered from it. 0 turns it off.',
  },
  maxMediaBytes: {
    scope: 'process',
    default: 5 * mebibyte,
    min: 64 * kibibyte,
    max: 64 * mebibyte,
    unit: 'bytes',
    description:
      'Largest picture of an NFT that is read and served, decompressed. A larger one is refused as TOO_LARGE.',
  },
  maxMetadataBytes: {
    scope: 'process',
    default: 256 * kibibyte,
    min: kibibyte,
    max: 16 * mebibyte,
    unit: 'bytes',
    description: 'Largest metadata of an NFT that is read, decompressed. Larger metadata is refused as TOO_LARGE.',
  },
  mediaTimeoutMs: {
    scope: 'process',
    default: 5_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    description:
      'Longest time to fetch metadata or a picture of an NFT, with all redirects. It may wait as long for its turn.',
  },
  maxMediaRequests: {
    scope: 'machine',
    default: 16,
    min: 1,
    max: 1_000,
    unit: 'requests',
    description:
      'Maximum number of requests for metadata and pictures of NFTs open at once. Others wait for their turn.',
  },
  mediaCacheBytes: {
    scope: 'machine',
    default: 64 * mebibyte,
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    description: 'Maximum memory for metadata and pictures of NFTs.',
  },
  mediaCacheTtlMs: {
    scope: 'process',
    default: 3_600_000,
    min: 1_000,
    max: 30 * 86_400_000,
    unit: 'ms',
    description:
      'Longest time that metadata and pictures of NFTs are cached. That one cannot be read is kept for a minute.',
  },
} satisfies Record<string, Limit>
