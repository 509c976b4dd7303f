/** A failure to put in place of a normal answer; with `times` it wears off after that many requests. */
export type Fault = (
  | {
      readonly kind: 'status'
      readonly status: number
      readonly body?: string
      readonly contentType?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Answers normally, `ms` milliseconds late. */
  | { readonly kind: 'latency'; readonly ms: number }
  /** Never answers; the connection stays open until the sandbox closes. */
  | { readonly kind: 'hang' }
  /** Cuts the connection. */
  | { readonly kind: 'reset' }
  /** Status 200 and a JSON content type over this text, JSON or not. */
  | { readonly kind: 'garbage'; readonly body: string }
  | { readonly kind: 'answer'; readonly json: unknown }
) & { readonly times?: number }

/** The faults in force, by service name and path prefix. */
export interface Faults {
  /** Puts a fault on every target (path with query) that begins so; of several that match, the newest counts. */
  set(service: string, pathPrefix: string, fault: Fault): void
  clear(): void
  /** The fault for a request, counted as used. */
  take(service: string, target: string): Fault | undefined
}

/** An empty set of faults. */
export function createFaults(): Faults {
  let active: { service: string; pathPrefix: string; fault: Fault; left: number }[] = []
  return {
    set(service, pathPrefix, fault) {
      active = active.filter((one) => one.service !== service || one.pathPrefix !== pathPrefix)
      active.unshift({ service, pathPrefix, fault, left: fault.times ?? Number.POSITIVE_INFINITY })
    },
    clear() {
      active = []
    },
    take(service, target) {
      const found = active.find(
        (one) => one.service === service && one.left > 0 && target.startsWith(one.pathPrefix),
      )
      if (found) found.left -= 1
      return found?.fault
    },
  }
}
