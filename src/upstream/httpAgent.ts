import { Agent, type Dispatcher } from 'undici'

/** Bounds of the connections to upstreams. */
export interface HttpAgentLimits {
  readonly upstreamTimeoutMs: number
  /** Most connections to one origin. */
  readonly connections: number
  readonly maxResponseBytes: number
}

/**
 * Opens the connections to all upstreams: a pool of kept-alive connections per origin. It does not
 * follow redirects, and reads no compressed bodies, since none are requested.
 */
export const createDispatcher = (limits: HttpAgentLimits): Dispatcher =>
  new Agent({
    connections: limits.connections,
    connect: { timeout: Math.min(2_000, limits.upstreamTimeoutMs) },
    // The client gives each attempt one deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    maxResponseSize: limits.maxResponseBytes,
  })
