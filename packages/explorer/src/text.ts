import type { BalanceExclusion } from './generated/graphql.ts'
import { labels } from './labels.ts'

const foldReasons: Readonly<Record<BalanceExclusion, string>> = {
  UNREADABLE: 'unreadable',
  UNLISTED: 'unlisted',
  HIDDEN: 'hidden',
  UNPRICED: 'unpriced',
}

/** All words of the pages, in one place for a translation, with `labels.ts`. */
export const text = {
  ...labels,
  theme: { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
  timesAs: { ages: 'Show dates', dates: 'Show ages' },
  suggested: (count: number) => `${count} ${count === 1 ? 'suggestion' : 'suggestions'}`,
  fresh: (count: number) => `Show ${count} new`,
  moreActions: (count: number) => `+${count} more`,
  added: (count: number) => `${count} new ${count === 1 ? 'row' : 'rows'}`,
  costOf: (points: number, requests: number, bytes: string) =>
    `${points} points · ${requests} upstream ${requests === 1 ? 'request' : 'requests'} · ${bytes} received`,
  readAgo: (ago: string) => `Loaded ${ago}.`,
  apiKey: {
    title: 'API key',
    hint: 'Stored in this tab only, until you close it. Sent to this gateway as a bearer token.',
    save: 'Use this key',
    forget: 'Remove the key',
    kept: 'An API key is set.',
  },
  unconfigured: (services: string) => `Not available on this gateway (not configured: ${services}).`,
  retryIn: (seconds: number) => `Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  askedIn: (seconds: number) => `All chains are checked again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  indexerName: 'The indexer',
  /** What a service is called, by the name that a fault gives it. All others are indexers. */
  serviceNames: {
    router: 'The router',
    registry: 'The chain registry',
  } as Readonly<Record<string, string>>,
  codes: {
    UPSTREAM_UNAVAILABLE: (service) => `${service} is not responding.`,
    UPSTREAM_TIMEOUT: (service) => `${service} took too long to respond.`,
    UPSTREAM_REJECTED: (service) => `${service} rejected the request.`,
    UPSTREAM_INVALID_RESPONSE: (service) => `${service} returned an unreadable response.`,
    RATE_LIMITED: () => 'Rate limit reached.',
    UNAUTHENTICATED: () => 'This gateway requires an API key.',
    BAD_USER_INPUT: () => 'The gateway rejected this input.',
    NETWORK: () => 'The gateway cannot be reached.',
    TIMEOUT: () => 'The request timed out.',
    QUERY_TOO_COMPLEX: () => 'This is too large to be shown in full.',
  } as Readonly<Record<string, (service: string) => string>>,
  average: (count: string) => `${count} on average`,
  plotOf: (chain: string, first: string, last: string, most: string) =>
    `Transactions per block of ${chain}, blocks ${first} to ${last}: at most ${most}`,
  inBlock: (height: string, count: number) =>
    `Block ${height}: ${count} ${count === 1 ? 'transaction' : 'transactions'}`,
  perGas: (price: string) => `${price} per unit of gas, in base units:`,
  perBlock: (time: string) => `${time} per block`,
  newest: (height: string) => `latest: ${height}`,
  showAll: (count: number) => `Show all ${count}`,
  folded: (count: number, reasons: readonly BalanceExclusion[]) => {
    const [reason] = reasons
    const assets = count === 1 ? 'asset' : 'assets'
    return reasons.length === 1 && reason
      ? `${count} ${foldReasons[reason]} ${assets}`
      : `${count} ${assets} that ${count === 1 ? 'is' : 'are'} ${reasons.map((one) => foldReasons[one]).join(' or ')}`
  },
  foldReasons,
  leftOut: (value: string, count: number, reason: BalanceExclusion) =>
    `${value} in ${count} ${foldReasons[reason]} ${count === 1 ? 'asset' : 'assets'}`,
  lookElsewhere: (count: number) => `Look on ${count} more ${count === 1 ? 'chain' : 'chains'}`,
  countedBlocks: ({ blocks, first, last, time }: Readonly<Record<'blocks' | 'first' | 'last' | 'time', string>>) =>
    `Counted from the newest ${blocks} blocks only: ${first} to ${last}, over ${time}.`,
  countedTransactions: (transactions: string, first: string, last: string) =>
    `Counted from the newest ${transactions} transactions only, in the blocks ${first} to ${last}.`,
  onChains: (count: number) => (count === 1 ? 'on 1 chain' : `on ${count} chains`),
  notCounted: (value: string) => `${value} more in assets that are not counted`,
  worthOn: (chains: number) => `worth on ${chains} ${chains === 1 ? 'chain' : 'chains'}, at present prices`,
  worthElsewhere: (value: string, chains: number) =>
    `${value} more on ${chains} other ${chains === 1 ? 'chain' : 'chains'}, as the router reports`,
  priced: (priced: number, count: number) => `${priced} of ${count} balances have a price`,
  kinds: {
    send: 'Sends',
    ibc: 'IBC',
    bridge: 'Deposits and withdrawals',
    contract: 'Contract calls',
    stake: 'Staking',
    vote: 'Votes',
  },
  changeKinds: {
    COIN: 'Coin',
    TOKEN: 'Token',
    NFT: 'NFT',
    OBJECT: 'Object',
    FEE: 'Fee',
  } as Readonly<Record<string, string>>,
  pagesRead: (pages: number) => `No match in the last ${pages} pages. Load more to search older activity.`,
  zone: (name: string) => `Times are in your time zone (${name}).`,
  quotes: {
    form: 'Swap or bridge',
    route: 'Route',
    kept: 'Pinned quote',
    keep: 'Pin this quote',
    drop: 'Unpin',
    fast: 'Fast transfer (before finality)',
    choose: 'Choose two assets and enter an amount.',
    noRoute: 'No route was found between these assets.',
    difference: 'Compared with the pinned quote',
    equal: 'no difference',
    send: 'You send',
    get: 'You receive',
    least: 'Minimum received',
    slippage: (percent: number) => `at ${percent}% slippage`,
    noSwap: 'no swap, no slippage',
    amounts: 'Amounts and fees',
    part: 'Part',
    feeOf: (kind: string) => `Fee: ${kind}`,
    feeBehaviors: {
      ADDITIONAL: 'on top of the amount',
      DEDUCTED: 'deducted',
    } as Readonly<Record<string, string>>,
    noFees: 'The router reports none. Chains charge gas.',
    noExpiry: 'The router gives no expiry. Get a new quote before you sign.',
    expired: 'Expired. Get a new quote before you sign.',
    time: 'Estimated time',
    signatures: 'Transactions to sign',
    impact: 'Price impact',
    valid: 'Expires',
    warning: 'Warning',
  },
  broken: {
    title: 'Break a service',
    hint: 'Affects everyone on this sandbox for one minute. Click again to undo.',
    kinds: {
      latency: 'Slow',
      error: 'Error 500',
      hang: 'No response',
      garbage: 'Garbage',
    } as Readonly<Record<string, string>>,
    left: (seconds: number) => `restored in ${seconds} s`,
  },
  watched: {
    title: 'Watched transfers',
    watch: 'Watch this transfer',
    unwatch: 'Stop watching',
    hint: 'Stored in this browser only.',
    nothing: 'None yet. Add a transfer by its chain and hash, or watch one from its own page.',
    form: 'Add a transfer',
    add: 'Add',
    full: (most: number) => `You can watch up to ${most} transfers. Remove one to add another.`,
  },
  limits: {
    title: 'Client limits',
    points: 'Max cost per operation',
    pointsOf: (points: string) => `${points} points`,
    depth: 'Max query depth',
    pageSize: 'Page size',
    requests: 'Max upstream requests per operation',
    bytes: 'Max response size',
    time: 'Operation timeout',
    streams: 'Max open streams',
    subscriptions: 'Max subscriptions per connection',
    watched: 'Max watched transfers',
    pageSizeOf: (usual: string, most: string) => `${usual} by default, ${most} at most`,
  },
  eventsOf: (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`,
  bridgesOf: (count: number) => `${count} ${count === 1 ? 'bridge' : 'bridges'}`,
  states: { fresh: 'OK', behind: 'behind', broken: 'down' },
  notFoundYet: (chain: string) => `not found on ${chain} yet`,
  atMost: (time: string) => `up to ${time}`,
  valueOfNow: (value: string) => `${value} at today’s price`,
  claimableFrom: (time: string) => `It can be claimed from ${time} on. The time can move until then.`,
  contradiction: (word: string) => `${word} The records of the chains prove otherwise.`,
  hopByRouter: (word: string) => `The router says: ${word}.`,
  took: (time: string) => `took ${time}`,
  transferAdvice: {
    page: 'Open its page',
    help: 'Ask for help',
    unseen: (chain: string) =>
      `Check the hash if you expect it on ${chain} already. The router is checked again within 5 seconds, less often after 10 minutes, and this page updates by itself.`,
    search: (chain: string, until: string) =>
      `The router does not know this transaction. Check the hash if you expect it on ${chain} already. The router is asked every few seconds until ${until}, and this page updates by itself.`,
    known: (chain: string, until: string) =>
      `The transaction is on ${chain}. The router does not know it yet, and is asked every few seconds until ${until}.`,
  },
  csv: {
    open: 'Export CSV',
    title: 'Export as CSV',
    subject: 'Data',
    subjects: {
      activity: 'Activity: balance changes and fees',
      transfers: 'Coin and token transfers',
      balances: 'Current balances',
    },
    since: 'From',
    until: 'Before',
    bound: (rows: string, pages: string) =>
      `Up to ${rows} rows or ${pages} pages are exported, newest first. The end of the file lists anything that is missing.`,
    filtered: 'The filters of the page also apply to the file.',
    zones: (name: string) => `Choose times in your time zone (${name}). The file has them in UTC.`,
    goesOn: 'It continues if you close this window.',
    savingOf: (subject: string, address: string) => `${subject} of ${address}:`,
    broken: 'The file could not be made.',
    prices: (time: string) => `Values in US dollars are at the prices of ${time}, when this file was made.`,
    start: 'Download',
    cancel: 'Cancel',
    progress: (rows: string, time: string) => `${rows} rows, back to ${time}`,
    saved: (rows: string, name: string) => `Saved ${rows} rows to ${name}.`,
    tooManyRows: (rows: number, oldest: string) =>
      `Incomplete: stopped after ${rows} rows at ${oldest}. Export older rows in a separate file.`,
    tooManyPages: (pages: number, oldest: string) =>
      `Incomplete: stopped after ${pages} pages at ${oldest}. Export older rows in a separate file.`,
    stopped: (oldest: string) => `Incomplete: the gateway failed at ${oldest}. Older rows are missing.`,
    unreadable: (count: number) => `Incomplete: ${count} transactions could not be loaded.`,
    faults: (count: number, codes: string) => `Incomplete: ${count} cells are empty because of errors: ${codes}.`,
    missing: (chain: string, code: string) => `Incomplete: rows of ${chain} may be missing: ${code}.`,
  },
} as const
