import { kibibyte, type Limit, mebibyte } from './limit.ts'

/** The limits that clients meet. Clients read them in the graph. Passing one is an error, never a shorter answer. */
export const clientLimits = {
  maxPageSize: {
    default: 100,
    min: 1,
    max: 1_000,
    unit: 'records',
    description: 'Largest `first` or `last`, and most ids of one `nodes` field.',
  },
  maxCost: {
    default: 20_000,
    min: 100,
    max: 10_000_000,
    unit: 'points',
    description:
      'Highest cost of an operation: 1 point per field, 5 per field that sends an upstream request, multiplied by the page sizes around it.',
  },
  maxAnswerBytes: {
    default: 32 * mebibyte,
    min: 64 * kibibyte,
    max: 256 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum number of bytes that an operation, or one event of a subscription, reads from upstreams, and that its answer has, roughly. Fields beyond it are null, with an error.',
  },
  timeoutMs: {
    default: 15_000,
    min: 100,
    max: 300_000,
    unit: 'ms',
    description: 'Longest time that a query or mutation may take.',
  },
  maxOpenPerClient: {
    default: 250,
    min: 1,
    max: 1_000_000,
    unit: 'streams',
    description:
      'Maximum number of WebSockets, event streams and operations on WebSockets that one client has open at once, and of transfers, transactions and quotes that it watches.',
  },
} satisfies Record<string, Limit>
