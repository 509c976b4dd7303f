/** How a time is told. */
export interface RelativeTimeOptions {
  /** Milliseconds since 1970. Default: the time of the device. */
  readonly now?: number | undefined
  /** Default: the language of the device. */
  readonly locale?: string | undefined
  /** Default: `long`, such as `5 minutes ago`. */
  readonly style?: 'long' | 'short' | 'narrow' | undefined
}

/** The units of time, with their seconds. A time is told in the largest one that fits. */
const units = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Seconds that count as now: the clocks of a chain and of a device differ. */
const presentSeconds = 2

/**
 * How long ago a time was, or how far it is, in words.
 * @throws RangeError if the text is not a time.
 */
export function relativeTime(
  time: string | number | Date,
  { now = Date.now(), locale, style = 'long' }: RelativeTimeOptions = {},
): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  const length = Math.abs(seconds)
  const inWords = (numeric: 'auto' | 'always') => new Intl.RelativeTimeFormat(locale, { numeric, style })
  if (length < presentSeconds) return inWords('auto').format(0, 'second')
  const [unit, size] = units.find(([, size]) => length >= size) ?? units[5]
  return inWords('always').format(Math.trunc(seconds / size), unit)
}

/** What is left of an address. */
export interface ShortAddressOptions {
  /** Characters after the prefix: after `0x`, or after the `1` of bech32. Default: 4. */
  readonly start?: number | undefined
  /** Characters at its end. Default: 4. */
  readonly end?: number | undefined
}

/**
 * An address with its middle left out, such as `init1wllq…azg3`. Show it only beside the whole one: people who
 * make addresses to deceive choose those whose ends look alike.
 */
export function shortAddress(address: string, { start = 4, end = 4 }: ShortAddressOptions = {}): string {
  const prefix = /^(0x|[a-z][a-z0-9]*?1|)/i.exec(address)?.[0] ?? ''
  const rest = address.slice(prefix.length)
  if (rest.length <= start + end + 1) return address
  return `${prefix}${rest.slice(0, start)}…${end > 0 ? rest.slice(-end) : ''}`
}

/** The pages of the explorer of a gateway. */
export interface ExplorerLinks {
  chain(chainId: string): string
  block(chainId: string, height: number): string
  transaction(chainId: string, hash: string): string
  account(address: string): string
  asset(chainId: string, denom: string): string
  collection(chainId: string, address: string): string
  nft(chainId: string, collection: string, tokenId: string): string
  transfer(chainId: string, hash: string): string
}

/**
 * Links to the explorer of a gateway. `url` is its own, such as `https://gateway.example`. Those of other explorers are in
 * the graph, as `Chain.explorers`.
 */
export function explorerLinks(url: string): ExplorerLinks {
  const page =
    (name: string) =>
    (...parts: readonly (string | number)[]) =>
      new URL([name, ...parts].map(encodeURIComponent).join('/'), new URL('/', url)).href
  return {
    chain: page('chain'),
    block: page('block'),
    transaction: page('tx'),
    account: page('address'),
    asset: page('asset'),
    collection: page('collection'),
    nft: page('nft'),
    transfer: page('transfer'),
  }
}
