import { Agent, type Dispatcher } from 'undici'

/** Largest answer read from an upstream, in bytes. */
const maxResponseSize = 16 * 1024 * 1024

/**
 * Opens the connections of all upstreams: a pool for each origin, kept alive. Redirects are not
 * followed, and nothing is decompressed, as nothing compressed is asked for. Times in milliseconds.
 */
export const createDispatcher = (): Dispatcher =>
  new Agent({
    connections: 32,
    connect: { timeout: 2_000 },
    headersTimeout: 5_000,
    bodyTimeout: 5_000,
    keepAliveTimeout: 10_000,
    maxResponseSize,
  })
