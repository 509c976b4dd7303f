import { Agent, type Dispatcher } from 'undici'

/** Bounds of the connections to upstreams. */
export interface HttpAgentLimits {
  readonly upstreamTimeoutMs: number
  readonly maxResponseBytes: number
}

/**
 * Opens the connections to all upstreams: a pool of kept-alive connections per origin. It does not
 * follow redirects, and reads no compressed bodies, since none are requested.
 */
export const createDispatcher = (limits: HttpAgentLimits): Dispatcher =>
  new Agent({
    // Each upstream has its own bound. Upstreams of one origin must not wait for each other here.
    connections: null,
    connect: { timeout: Math.min(2_000, limits.upstreamTimeoutMs) },
    // The client gives each attempt one deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    maxResponseSize: limits.maxResponseBytes,
  })
