import { z } from 'zod'
import type { Fault, Faults } from './faults.ts'
import type { Handler } from './http.ts'

/** What can be wrong with a service, as somebody at a page would say it. */
const kinds = {
  latency: { kind: 'latency', ms: 3_000 },
  error: { kind: 'status', status: 500 },
  hang: { kind: 'hang' },
  garbage: { kind: 'garbage', body: '{"garbage": [1, 2' },
} as const satisfies Readonly<Record<string, Fault>>

/** The names of what can be wrong. */
export const faultKinds: readonly string[] = Object.keys(kinds)

/** Nobody leaves a service broken for others: it is mended by itself after this many seconds at most. */
const maxSeconds = 300

const command = z.object({
  service: z.string(),
  /** Null mends the service. */
  kind: z.enum(['latency', 'error', 'hang', 'garbage']).nullable(),
  seconds: z.number().min(1).max(maxSeconds).default(60),
})

interface Active {
  readonly kind: keyof typeof kinds
  readonly endsAt: number
  readonly timer: NodeJS.Timeout
}

/** Breaks services of a sandbox for some time, over HTTP. */
export interface Control {
  /** Answers GET with the services and what is broken. POST breaks one, or mends it. */
  readonly handler: Handler
  /** Cancels what is still to be mended. */
  close(): void
}

/** Opens the control of the faults of these services. */
export function createControl({
  faults,
  services,
}: {
  readonly faults: Faults
  readonly services: () => readonly string[]
}): Control {
  const active = new Map<string, Active>()
  const mend = (service: string) => {
    clearTimeout(active.get(service)?.timer)
    active.delete(service)
    faults.clear(service)
  }
  const state = () => ({
    services: services(),
    kinds: faultKinds,
    faults: [...active].map(([service, { kind, endsAt }]) => ({
      service,
      kind,
      secondsLeft: Math.max(0, Math.ceil((endsAt - performance.now()) / 1000)),
    })),
  })
  return {
    handler({ method, body }) {
      if (method === 'GET') return { status: 200, json: state() }
      const read = command.safeParse(jsonOf(body))
      if (!read.success || !services().includes(read.data.service)) {
        return { status: 400, json: { message: 'A service, a kind and up to 300 seconds.' } }
      }
      const { service, kind, seconds } = read.data
      mend(service)
      if (kind !== null) {
        faults.set(service, '/', kinds[kind])
        const timer = setTimeout(() => mend(service), seconds * 1000).unref()
        active.set(service, { kind, endsAt: performance.now() + seconds * 1000, timer })
      }
      return { status: 200, json: state() }
    },
    close() {
      for (const { timer } of active.values()) clearTimeout(timer)
    },
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
