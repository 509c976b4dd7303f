import { kibibyte, type Limit, mebibyte } from './limit.ts'

/** The limits that clients meet. Clients read them in the graph. Passing one is an error, never a shorter answer. */
export const clientLimits = {
  maxPageSize: {
    scope: 'operation',
    default: 100,
    min: 1,
    max: 1_000,
    unit: 'records',
    description: 'Largest `first` or `last`.',
  },
  defaultPageSize: {
    scope: 'operation',
    default: 20,
    min: 1,
    max: 1_000,
    unit: 'records',
    description: 'Page size when neither `first` nor `last` is given.',
  },
  maxDepth: {
    scope: 'operation',
    default: 16,
    min: 4,
    max: 100,
    unit: 'levels',
    description: 'Deepest nesting of fields in an operation.',
  },
  maxCost: {
    scope: 'operation',
    default: 20_000,
    min: 100,
    max: 10_000_000,
    unit: 'points',
    description:
      'Highest cost of an operation: 1 point per field, 5 per field that sends an upstream request, multiplied by the page sizes around it.',
  },
  maxRequestsPerOperation: {
    scope: 'operation',
    default: 1_000,
    min: 10,
    max: 1_000_000,
    unit: 'requests',
    description:
      'Maximum number of upstream requests of an operation. Fields that need more are errors.',
  },
  maxBytesPerOperation: {
    scope: 'operation',
    default: 32 * mebibyte,
    min: 64 * kibibyte,
    max: 1024 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum number of bytes that an operation reads from upstreams. Fields that need more are errors.',
  },
  maxAnswerBytes: {
    scope: 'operation',
    default: 32 * mebibyte,
    min: 64 * kibibyte,
    max: 256 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum number of bytes of an answer, or of one event of a subscription, roughly. The field of the root that passes it is null, with an error.',
  },
  maxListRows: {
    scope: 'operation',
    default: 5_000,
    min: 10,
    max: 1_000_000,
    unit: 'rows',
    description:
      'Most rows of a list inside a record, such as `events`. A longer list is null, with an error.',
  },
  maxRowsPerOperation: {
    scope: 'operation',
    default: 250_000,
    min: 100,
    max: 10_000_000,
    unit: 'rows',
    description: 'Most rows of all such lists of an answer. Further lists are errors.',
  },
  maxBalanceChangeHashes: {
    scope: 'transaction',
    default: 1_000,
    min: 10,
    max: 1_000_000,
    unit: 'hashes',
    description:
      'Maximum number of hashes that find the owners of the stores of a Move transaction for `balanceChanges`. Beyond it the field is an error: ask for one `address`, or read `events`.',
  },
  maxBalanceChangeAddresses: {
    scope: 'transaction',
    default: 1_000,
    min: 10,
    max: 1_000_000,
    unit: 'texts',
    description:
      'Maximum number of texts like addresses in the events of a Move transaction for `balanceChanges`. Beyond it the field is an error: ask for one `address`, or read `events`.',
  },
  maxBalanceChangeDenoms: {
    scope: 'transaction',
    default: 200,
    min: 10,
    max: 1_000_000,
    unit: 'denoms',
    description:
      'Maximum number of denoms that name the coins of a Move transaction for `balanceChanges`. Beyond it the field is an error: read `events`.',
  },
  maxTokens: {
    scope: 'operation',
    default: 2_000,
    min: 100,
    max: 100_000,
    unit: 'tokens',
    description: 'Maximum number of lexical tokens in a document.',
  },
  maxRequestBytes: {
    scope: 'operation',
    default: 256 * kibibyte,
    min: kibibyte,
    max: 16 * mebibyte,
    unit: 'bytes',
    description: 'Largest HTTP body or WebSocket message.',
  },
  maxNodes: {
    scope: 'operation',
    default: 100,
    min: 1,
    max: 1_000,
    unit: 'ids',
    description: 'Maximum number of ids in one `nodes` field.',
  },
  timeoutMs: {
    scope: 'operation',
    default: 15_000,
    min: 100,
    max: 300_000,
    unit: 'ms',
    description: 'Longest time that a query or mutation may take.',
  },
  maxSubscriptions: {
    scope: 'client',
    default: 100,
    min: 1,
    max: 10_000,
    unit: 'operations',
    description:
      'Maximum number of operations open at once on one WebSocket or shared event stream.',
  },
  maxStreamsPerClient: {
    scope: 'client',
    default: 250,
    min: 1,
    max: 100_000,
    unit: 'streams',
    description: 'Maximum number of WebSockets and event streams open at once from one client.',
  },
  maxWatchedPerClient: {
    scope: 'client',
    default: 100,
    min: 1,
    max: 100_000,
    unit: 'transfers',
    description:
      'Maximum number of transfers, transactions and quotes that one client watches at once.',
  },
  maxCatchUpBlocks: {
    scope: 'operation',
    default: 10_000,
    min: 0,
    max: 1_000_000_000,
    unit: 'blocks',
    description: 'How far behind the newest block `after` of the subscription `blocks` may be.',
  },
  maxMessagesPerSecond: {
    scope: 'client',
    default: 500,
    min: 1,
    max: 100_000,
    unit: 'messages',
    description: 'Messages read per second from one WebSocket. Further messages wait.',
  },
} satisfies Record<string, Limit>
