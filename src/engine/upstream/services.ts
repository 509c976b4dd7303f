/** A service that a gateway has one of at most, beside the indexers of its chains. */
interface ServiceEntry {
  /** What it is: `router`, as in `The router timed out.` */
  readonly noun: string
  /** What a message about settings calls it. */
  readonly named: string
  /** The help of the setting of its URL. */
  readonly help: string
  /** The default of that setting, in the words of the help. */
  readonly fallback: string
  /** Most requests open at once, unless its options say another number. */
  readonly maxRequests: number
  /** The share of these requests that only urgent requests may be. Default: 0. */
  readonly reservedShare?: number
  /** Whether clients see what it says when it refuses a request, since people learn from it how to change the request. */
  readonly showsRefusals?: true
  /** The path of a short GET. Readiness leaves out a service without one. */
  readonly probe?: string
}

/**
 * Requests open at once to an indexer or the router. A service with fewer connections to its database needs fewer, which only
 * its operator knows: see UPSTREAM_CONCURRENCY.
 */
export const openRequests = 256

/**
 * Every service that a gateway has one of at most. The options of `createGateway`, the network, settings, keys of the
 * configuration file, messages, readiness and the doctor's report are made from this table, so a new service is one entry,
 * its checks in `src/app/doctor/doctor.ts`, and its use.
 */
const serviceTable = {
  /** The cross-chain router. The router's fields answer with errors if there is none. */
  router: {
    noun: 'router',
    named: 'the router',
    help: 'URL of the cross-chain router.',
    fallback: 'none, or the router of the sandbox',
    maxRequests: openRequests,
    // For polls of transfers: quotes can take long.
    reservedShare: 1 / 4,
    showsRefusals: true,
    // A short list that routers have.
    probe: '/v2/info/bridges',
  },
  /** Past prices by CoinGecko id, with the paths of the coins API of DefiLlama. Past values are null without it. */
  prices: {
    noun: 'service of prices',
    named: 'prices',
    help: 'URL of a service of past prices by CoinGecko id, with the paths of the coins API of DefiLlama.',
    fallback: 'none, or that of the sandbox',
    // It is mostly a public one.
    maxRequests: 8,
  },
} satisfies Record<string, ServiceEntry>

/** The name of a service in options, settings, errors and metrics. */
export type ServiceName = keyof typeof serviceTable

/** A value for each service that there is one for. */
export type ByService<T> = { readonly [Name in keyof typeof serviceTable]?: T | undefined }

/** The name of the URL of a service among the settings, and in a sandbox: `routerUrl`. */
export type UrlName = `${ServiceName}Url`

// `Object.keys` loses the names, hence the assertion.

/** The names of all services of the table, in the order of the help. */
export const serviceNames = Object.keys(serviceTable) as ServiceName[]

/** A service of the table, whichever it is. */
export const serviceOf = (name: ServiceName): ServiceEntry => serviceTable[name]

/** Whether a text names a service of the table. A chain id never does. */
export const isServiceName = (text: string): text is ServiceName => Object.hasOwn(serviceTable, text)

export const urlNameOf = (name: ServiceName): UrlName => `${name}Url`

export const mapServices = <T>(valueFor: (name: ServiceName) => T | undefined): ByService<T> =>
  Object.fromEntries(serviceNames.map((name) => [name, valueFor(name)]))

/** The name of an upstream at the start of a sentence. `service` is a chain id, or the name of a service of the table. */
export const serviceLabel = (service: string): string =>
  isServiceName(service) ? `The ${serviceTable[service].noun}` : `The indexer of ${service}`
