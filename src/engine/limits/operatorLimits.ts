import { type Limit, mebibyte } from './limit.ts'

/** The limits that concern only whoever operates the gateway: its upstreams, its memory, and when it acts. */
export const operatorLimits = {
  maxConnections: {
    default: 15_000,
    min: 1,
    max: 1_000_000,
    unit: 'connections',
    description: 'Maximum number of client connections open at once.',
  },
  upstreamTimeoutMs: {
    default: 5_000,
    min: 100,
    max: 120_000,
    unit: 'ms',
    description: 'Longest time that one request to an upstream may take.',
  },
  shutdownDelayMs: {
    default: 0,
    min: 0,
    max: 300_000,
    unit: 'ms',
    description:
      'Time from a signal to stop until it stops listening. Meanwhile `/ready` is 503, so that load balancers choose another gateway.',
  },
  cacheBytes: {
    default: 96 * mebibyte,
    min: mebibyte,
    max: 64 * 1024 * mebibyte,
    unit: 'bytes',
    description:
      'Maximum memory for the caches: a quarter for whole answers, each kept while it stays true, and the rest for responses of upstreams.',
  },
  cacheTtlMs: {
    default: 3_600_000,
    min: 0,
    max: 30 * 86_400_000,
    unit: 'ms',
    description:
      'Longest time that answers, and responses that cannot change, are cached: a chain may be reset, or indexed again. 0 turns both caches off.',
  },
} satisfies Record<string, Limit>
