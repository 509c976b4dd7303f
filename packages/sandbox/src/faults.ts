/** A failure that replaces the normal response. With `times`, it ends after that many requests. */
export type Fault =
  /** Responds with this status. Default: a body of type text/plain, empty unless a 404 says that there is no record. */
  (
    | {
        readonly kind: 'status'
        readonly status: number
        readonly body?: string
        readonly contentType?: string
        readonly headers?: Readonly<Record<string, string>>
      }
    /** Responds normally after `ms` milliseconds of real time, which the clock of the sandbox does not change. */
    | { readonly kind: 'latency'; readonly ms: number }
    /** Never responds. The connection stays open until the sandbox closes. */
    | { readonly kind: 'hang' }
    /** Destroys the connection. */
    | { readonly kind: 'reset' }
    /** Responds with status 200, content type application/json and this text, valid JSON or not. */
    | { readonly kind: 'garbage'; readonly body: string }
    /** Responds with status 200 and this value as JSON. */
    | { readonly kind: 'answer'; readonly json: unknown }
    /** Responds normally, with what `change` makes of the JSON. */
    | { readonly kind: 'change'; readonly change: (json: unknown) => unknown }
  ) & { readonly times?: number }

/** The active faults. A service is a chain id or `router`. */
export interface Faults {
  /**
   * Applies a fault to every request whose target (path and query) starts with the prefix. A second
   * fault for the same prefix replaces the first. If several prefixes match, the newest fault applies.
   */
  set(service: string, pathPrefix: string, fault: Fault): void
  /** Removes all faults, or those of one service. */
  clear(service?: string): void
  /** The fault for a request, which counts towards its `times`. The servers call this. */
  take(service: string, target: string): Fault | undefined
}

/** A set of faults, empty at first. */
export function createFaults(): Faults {
  let active: { service: string; pathPrefix: string; fault: Fault; left: number }[] = []
  return {
    set(service, pathPrefix, fault) {
      active = active.filter((entry) => entry.service !== service || entry.pathPrefix !== pathPrefix)
      active.unshift({ service, pathPrefix, fault, left: fault.times ?? Number.POSITIVE_INFINITY })
    },
    clear(service) {
      active = service === undefined ? [] : active.filter((entry) => entry.service !== service)
    },
    take(service, target) {
      const entry = active.find(
        ({ service: name, left, pathPrefix }) => name === service && left > 0 && target.startsWith(pathPrefix),
      )
      if (entry) entry.left -= 1
      return entry?.fault
    },
  }
}
