import type { GraphQLError } from 'graphql'
import type { Clock } from '../../kit/clock/clock.ts'
import type { ErrorCode } from '../upstream/error.ts'
import { withoutControls } from '../upstream/redact.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Log } from './log.ts'
import type { UpstreamHealth } from './upstreamHealth.ts'

export interface ErrorLog {
  /** `root` is what was thrown. */
  report(error: GraphQLError, root: unknown, requestId: string | undefined): void
}

const upstreamCodes = new Set<unknown>([
  'UPSTREAM_TIMEOUT',
  'UPSTREAM_UNAVAILABLE',
  'UPSTREAM_REJECTED',
  'UPSTREAM_INVALID_RESPONSE',
] satisfies ErrorCode[])

/**
 * Logs errors at the level that they need. A fault of the gateway is an error. A fault of an upstream is a
 * warning once a minute for each service and code, and at level debug otherwise, and whenever the outage
 * of the service has been logged already. An error of the client is at level debug.
 */
export function createErrorLog(log: Log, clock: Clock, health: Pick<UpstreamHealth, 'of'>): ErrorLog {
  const repeats = createRepeats(clock)

  const reportUpstream = (service: unknown, code: unknown, fields: object) => {
    const isDown = typeof service === 'string' && health.of(service).status === 'down'
    const repeated = isDown ? undefined : repeats.count(`${service} ${code}`)
    if (repeated === undefined) log.debug(fields, 'upstream error')
    else log.warn({ ...fields, ...(repeated > 0 && { repeated }) }, 'upstream error')
  }

  return {
    // The message of a client error is not logged: it can quote the values of variables.
    report({ extensions, path }, root, requestId) {
      const { code, service, reason } = extensions
      const at = path?.join('.')
      if (code === 'INTERNAL_SERVER_ERROR') {
        log.error({ requestId, err: root, path: at }, 'unexpected error')
      } else if (upstreamCodes.has(code)) {
        const bodyExcerpt = root instanceof UpstreamHttpError ? root.bodyExcerpt : undefined
        const cause = findCause(root)
        const fields = { requestId, code, service, reason, bodyExcerpt, cause, path: at }
        reportUpstream(service, code, fields)
      } else {
        log.debug({ requestId, code, path: at }, 'client error')
      }
    },
  }
}

const findCause = (error: unknown): string | undefined =>
  error instanceof Error && error.cause instanceof Error
    ? withoutControls(error.cause.message).slice(0, 500)
    : undefined

/** Finds repeats among equal log lines. */
export interface Repeats {
  /**
   * The number of repeats left out since the last line of this key that was not one, or undefined if this
   * one is a repeat itself.
   */
  count(key: string): number | undefined
}

/** An equal line is a repeat if it comes within this many milliseconds of the first. */
const windowMs = 60_000

/** Keys are few by design: services and error codes. */
function createRepeats(clock: Clock): Repeats {
  const lines = new Map<string, { readonly at: number; repeats: number }>()
  return {
    count(key) {
      const line = lines.get(key)
      if (line && clock.now() - line.at < windowMs) {
        line.repeats += 1
        return undefined
      }
      lines.set(key, { at: clock.now(), repeats: 0 })
      return line?.repeats ?? 0
    },
  }
}
