/** One limit: its default, the bounds an operator may set it within, and how it is named and described. */
export interface Limit {
  readonly default: number
  readonly min: number
  readonly max: number
  /** What the number counts, as shown in the help. */
  readonly unit: string
  readonly env: string
  readonly flag: string
  readonly description: string
  /** `client`: clients can read it in the graph. `operator`: it is the gateway's own business. */
  readonly audience: 'client' | 'operator'
}

const kibibyte = 1024
const mebibyte = 1024 * kibibyte

/**
 * Every limit of the gateway. Settings, help, the table in the README and the graph's `ServiceLimits`
 * are made from this table, so a new limit is one entry here and its use. Passing a limit that clients
 * meet is an error, never a shorter answer.
 */
export const limitTable = {
  maxPageSize: {
    default: 100,
    min: 1,
    max: 1_000,
    unit: 'records',
    env: 'MAX_PAGE_SIZE',
    flag: 'max-page-size',
    description: 'Largest `first` or `last`.',
    audience: 'client',
  },
  defaultPageSize: {
    default: 20,
    min: 1,
    max: 1_000,
    unit: 'records',
    env: 'DEFAULT_PAGE_SIZE',
    flag: 'default-page-size',
    description: 'Page size when neither `first` nor `last` is given.',
    audience: 'client',
  },
  maxDepth: {
    default: 16,
    min: 4,
    max: 100,
    unit: 'levels',
    env: 'MAX_DEPTH',
    flag: 'max-depth',
    description: 'Deepest nesting of fields in an operation.',
    audience: 'client',
  },
  maxCost: {
    default: 20_000,
    min: 100,
    max: 10_000_000,
    unit: 'points',
    env: 'MAX_COST',
    flag: 'max-cost',
    description:
      'Highest cost of an operation: 1 point per field, 5 per field that sends an upstream request, multiplied by the page sizes around it.',
    audience: 'client',
  },
  maxRequestsPerOperation: {
    default: 1_000,
    min: 10,
    max: 1_000_000,
    unit: 'requests',
    env: 'MAX_REQUESTS_PER_OPERATION',
    flag: 'max-requests-per-operation',
    description: 'Most upstream requests of an operation. Fields that need more are errors.',
    audience: 'client',
  },
  maxBytesPerOperation: {
    default: 32 * mebibyte,
    min: 64 * kibibyte,
    max: 1024 * mebibyte,
    unit: 'bytes',
    env: 'MAX_BYTES_PER_OPERATION',
    flag: 'max-bytes-per-operation',
    description:
      'Most bytes that an operation reads from upstreams. Fields that need more are errors.',
    audience: 'client',
  },
  maxTokens: {
    default: 2_000,
    min: 100,
    max: 100_000,
    unit: 'tokens',
    env: 'MAX_TOKENS',
    flag: 'max-tokens',
    description: 'Most lexical tokens in a document.',
    audience: 'client',
  },
  maxRequestBytes: {
    default: 256 * kibibyte,
    min: kibibyte,
    max: 16 * mebibyte,
    unit: 'bytes',
    env: 'MAX_REQUEST_BYTES',
    flag: 'max-request-bytes',
    description: 'Largest HTTP body or WebSocket message.',
    audience: 'client',
  },
  maxNodes: {
    default: 100,
    min: 1,
    max: 1_000,
    unit: 'ids',
    env: 'MAX_NODES',
    flag: 'max-nodes',
    description: 'Most ids in one `nodes` field.',
    audience: 'client',
  },
  timeoutMs: {
    default: 15_000,
    min: 100,
    max: 300_000,
    unit: 'ms',
    env: 'TIMEOUT_MS',
    flag: 'timeout-ms',
    description: 'Longest time that a query or mutation may take.',
    audience: 'client',
  },
  maxSubscriptions: {
    default: 100,
    min: 1,
    max: 10_000,
    unit: 'operations',
    env: 'MAX_SUBSCRIPTIONS',
    flag: 'max-subscriptions',
    description: 'Most operations open at once on one WebSocket.',
    audience: 'client',
  },
  maxStreamsPerClient: {
    default: 250,
    min: 1,
    max: 100_000,
    unit: 'streams',
    env: 'MAX_STREAMS_PER_CLIENT',
    flag: 'max-streams-per-client',
    description: 'Most WebSockets and event streams open at once from one client.',
    audience: 'client',
  },
  maxWatchedPerClient: {
    default: 100,
    min: 1,
    max: 100_000,
    unit: 'transfers',
    env: 'MAX_WATCHED_PER_CLIENT',
    flag: 'max-watched-per-client',
    description: 'Most transfers and transactions that one client watches at once.',
    audience: 'client',
  },
  maxCatchUpBlocks: {
    default: 10_000,
    min: 0,
    max: 1_000_000_000,
    unit: 'blocks',
    env: 'MAX_CATCH_UP_BLOCKS',
    flag: 'max-catch-up-blocks',
    description: 'How far behind the newest block `after` of the subscription `blocks` may be.',
    audience: 'client',
  },
  maxMessagesPerSecond: {
    default: 500,
    min: 1,
    max: 100_000,
    unit: 'messages',
    env: 'MAX_MESSAGES_PER_SECOND',
    flag: 'max-messages-per-second',
    description: 'Messages read per second from one WebSocket. Further messages wait.',
    audience: 'client',
  },
  maxConnections: {
    default: 15_000,
    min: 1,
    max: 1_000_000,
    unit: 'connections',
    env: 'MAX_CONNECTIONS',
    flag: 'max-connections',
    description: 'Most client connections open at once.',
    audience: 'operator',
  },
  upstreamTimeoutMs: {
    default: 5_000,
    min: 100,
    max: 120_000,
    unit: 'ms',
    env: 'UPSTREAM_TIMEOUT_MS',
    flag: 'upstream-timeout-ms',
    description: 'Longest time that one request to an upstream may take.',
    audience: 'operator',
  },
  quoteTimeoutMs: {
    default: 15_000,
    min: 100,
    max: 120_000,
    unit: 'ms',
    env: 'QUOTE_TIMEOUT_MS',
    flag: 'quote-timeout-ms',
    description:
      'Longest time that the router may take to quote a route, or to make its messages. At least as long as its other requests.',
    audience: 'operator',
  },
  maxIndexerRequests: {
    default: 32,
    min: 1,
    max: 10_000,
    unit: 'requests',
    env: 'MAX_INDEXER_REQUESTS',
    flag: 'max-indexer-requests',
    description: 'Most requests open at once to one indexer. Others wait for their turn.',
    audience: 'operator',
  },
  maxRouterRequests: {
    default: 64,
    min: 1,
    max: 10_000,
    unit: 'requests',
    env: 'MAX_ROUTER_REQUESTS',
    flag: 'max-router-requests',
    description: 'Most requests open at once to the router. Others wait for their turn.',
    audience: 'operator',
  },
  maxWaitingRequests: {
    default: 25_000,
    min: 100,
    max: 10_000_000,
    unit: 'requests',
    env: 'MAX_WAITING_REQUESTS',
    flag: 'max-waiting-requests',
    description:
      'Most requests that wait for one upstream. It bounds the memory: a request waits no longer than its operation may take.',
    audience: 'operator',
  },
  maxPolls: {
    default: 32,
    min: 1,
    max: 10_000,
    unit: 'requests',
    env: 'MAX_POLLS',
    flag: 'max-polls',
    description:
      'Most polls open at once, over all transfers. Never more than half of the requests to the router.',
    audience: 'operator',
  },
  maxWatched: {
    default: 20_000,
    min: 1,
    max: 10_000_000,
    unit: 'transfers',
    env: 'MAX_WATCHED',
    flag: 'max-watched',
    description: 'Most transfers and transactions that all clients watch at once.',
    audience: 'operator',
  },
  headIntervalMs: {
    default: 1_000,
    min: 100,
    max: 60_000,
    unit: 'ms',
    env: 'HEAD_INTERVAL_MS',
    flag: 'head-interval-ms',
    description:
      'Least time between two looks at the newest block of a chain, while anybody subscribes to it. The gateway learns when blocks come, and looks when one is due, at least every 6 seconds. Indexers cache a block for a second.',
    audience: 'operator',
  },
  lateAfterMs: {
    default: 30_000,
    min: 1_000,
    max: 3_600_000,
    unit: 'ms',
    env: 'LATE_AFTER_MS',
    flag: 'late-after-ms',
    description: 'Time without a new block after which subscribers are told that a chain is late.',
    audience: 'operator',
  },
  registryIntervalMs: {
    default: 600_000,
    min: 0,
    max: 86_400_000,
    unit: 'ms',
    env: 'REGISTRY_INTERVAL_MS',
    flag: 'registry-interval-ms',
    description:
      'Time between two reads of the chain registry, whose changes are then served. 0 reads it only at start and at SIGHUP.',
    audience: 'operator',
  },
  shutdownDelayMs: {
    default: 0,
    min: 0,
    max: 300_000,
    unit: 'ms',
    env: 'SHUTDOWN_DELAY_MS',
    flag: 'shutdown-delay-ms',
    description:
      'Time from a signal to stop until it stops listening. Meanwhile `/ready` is 503, so that balancers send no more.',
    audience: 'operator',
  },
  maxResponseBytes: {
    default: 16 * mebibyte,
    min: 64 * kibibyte,
    max: 1024 * mebibyte,
    unit: 'bytes',
    env: 'MAX_RESPONSE_BYTES',
    flag: 'max-response-bytes',
    description: 'Largest response read from an upstream.',
    audience: 'operator',
  },
  cacheBytes: {
    default: 32 * mebibyte,
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    env: 'CACHE_BYTES',
    flag: 'cache-bytes',
    description: 'Most memory for the cached responses of one upstream.',
    audience: 'operator',
  },
  cacheTtlMs: {
    default: 3_600_000,
    min: 0,
    max: 30 * 86_400_000,
    unit: 'ms',
    env: 'CACHE_TTL_MS',
    flag: 'cache-ttl-ms',
    description:
      'Longest time that responses and answers that cannot change are cached: a chain may be reset, or indexed again. 0 turns both caches off.',
    audience: 'operator',
  },
  movingCacheTtlMs: {
    default: 0,
    min: 0,
    max: 1_000,
    unit: 'ms',
    env: 'MOVING_CACHE_TTL_MS',
    flag: 'moving-cache-ttl-ms',
    description:
      'Longest time that responses of indexers that can change are cached. Indexers cache them for a second themselves.',
    audience: 'operator',
  },
  answerCacheBytes: {
    default: 64 * mebibyte,
    min: 0,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    env: 'ANSWER_CACHE_BYTES',
    flag: 'answer-cache-bytes',
    description:
      'Most memory for whole answers that cannot change. A repeated operation is answered from it. 0 turns it off.',
    audience: 'operator',
  },
} satisfies Record<string, Limit>

/** The name of a limit. */
export type LimitName = keyof typeof limitTable

/** A value for each limit, in the unit that its entry names. */
export type Limits = { readonly [Name in LimitName]: number }

// `Object.keys` and `Object.fromEntries` lose the names, hence the two assertions.

/** The names of all limits, in the order of the help. */
export const limitNames = Object.keys(limitTable) as LimitName[]

/** A limit, whichever it is. */
export const limitOf = (name: LimitName): Limit => limitTable[name]

/** The limits with a value for each name. */
export const mapLimits = (valueFor: (name: LimitName) => number): Limits =>
  Object.fromEntries(limitNames.map((name) => [name, valueFor(name)])) as Limits

/**
 * The given limits, and the defaults of those left out.
 * @throws RangeError naming each limit that is not a whole number within its bounds, or that contradicts another.
 */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  const limits = mapLimits((name) => given[name] ?? limitTable[name].default)
  const problems = limitProblems(limits, (name) => `limits.${name}`)
  if (problems.length > 0) throw new RangeError(problems.join(' '))
  return limits
}

/** What is wrong with limits, a sentence each. `label` gives the name that the reader set the limit by. */
export function limitProblems(limits: Limits, label: (name: LimitName) => string): string[] {
  const problems = limitNames.flatMap((name) => {
    const { min, max } = limitTable[name]
    const value = limits[name]
    const isWithin = Number.isSafeInteger(value) && value >= min && value <= max
    return isWithin ? [] : [`${label(name)} must be a whole number from ${min} to ${max}.`]
  })
  if (limits.defaultPageSize > limits.maxPageSize) {
    problems.push(`${label('defaultPageSize')} must not exceed ${label('maxPageSize')}.`)
  }
  return problems
}
