import type { BalanceExclusion } from './generated/graphql.ts'
import { labels } from './labels.ts'

const foldReasons: Readonly<Record<BalanceExclusion, string>> = {
  UNREADABLE: 'unreadable',
  UNLISTED: 'unlisted',
  HIDDEN: 'hidden',
  UNPRICED: 'unpriced',
}

/** What the codes say with which chains refuse a transaction, by the codespace: the errors of the Cosmos SDK and of CosmWasm. */
const failures: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  sdk: {
    3: 'invalid sequence',
    4: 'unauthorized',
    5: 'insufficient funds',
    6: 'unknown request',
    7: 'invalid address',
    8: 'invalid public key',
    9: 'unknown address',
    10: 'invalid coins',
    11: 'out of gas',
    12: 'memo too long',
    13: 'insufficient fee',
    14: 'too many signatures',
    15: 'no signatures',
    18: 'invalid request',
    21: 'transaction too large',
    26: 'invalid height',
    28: 'wrong chain ID',
    29: 'invalid type',
    30: 'timeout height passed',
    32: 'wrong account sequence',
    35: 'internal error',
    36: 'conflict',
    37: 'not supported',
    38: 'not found',
    41: 'invalid gas limit',
  },
  wasm: { 4: 'contract could not be created', 5: 'contract call failed', 9: 'contract query failed' },
}

/** All words of the pages, in one place for a translation, with `labels.ts`. */
export const text = {
  ...labels,
  theme: { auto: 'Theme: system', light: 'Theme: light', dark: 'Theme: dark' },
  timesAs: { ages: 'Show dates', dates: 'Show ages' },
  modules: {
    hint: 'The account of a module of the chain. This follows from its address.',
    names: {
      fee_collector: 'Fee collector',
      gov: 'Governance',
      distribution: 'Distribution',
      mint: 'Mint',
      bonded_tokens_pool: 'Staked tokens',
      not_bonded_tokens_pool: 'Unbonding tokens',
      protocolpool: 'Community pool',
      transfer: 'IBC transfers',
      'nft-transfer': 'IBC NFT transfers',
      interchainaccounts: 'Interchain accounts',
      reward: 'Rewards',
      auction: 'Auction',
      opchild: 'OPinit',
      ophost: 'OPinit',
    } as Readonly<Record<string, string>>,
    other: (name: string) => `Module ${name}`,
    escrow: (channel: string) => `IBC escrow of ${channel}`,
    bridge: (bridgeId: number) => `OPinit bridge ${bridgeId}`,
  },
  filters: (chosen: number) => (chosen > 0 ? `Filters (${chosen})` : 'Filters'),
  hidden: (count: number) =>
    `${count} ${count === 1 ? 'row is' : 'rows are'} hidden: others moved only amounts of 0, unlisted tokens or NFTs of unlisted collections.`,
  changesOf: (count: number) => `Balance changes (${count})`,
  codeKinds: { EVM: 'Bytecode of the EVM', WASM: 'CosmWasm', MOVE: 'Move' } as Readonly<Record<string, string>>,
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
  /** Why a transaction failed, in words if its code is a common one. */
  failure: (codespace: string | null | undefined, code: number) => {
    const name = codespace ? `${codespace} ${code}` : `code ${code}`
    const words = failures[codespace ?? '']?.[code]
    return words ? `${words} (${name})` : name
  },
  allDigits: (short: string, whole: string) => `${short}, all digits: ${whole}`,
  perGas: (price: string, denom: string) => `${price} ${denom} per unit of gas`,
  perMillionGas: (price: string, symbol: string) => `${price} ${symbol} per million units of gas`,
  gasPrices: { low: 'low', average: 'average', high: 'high' },
  estimated: (count: string, isEstimate: boolean) => (isEstimate ? `≈ ${count}` : count),
  priceOf: (symbol: string, price: string) => `1 ${symbol} = ${price}`,
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
  readMore: (transactions: string) => `Read ${transactions} more transactions`,
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
    pageSize: 'Max page size',
    bytes: 'Max response size',
    time: 'Operation timeout',
    open: 'Max open streams and subscriptions',
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
    filtered: 'The filters of the page also apply to the file. Rows that the page hides are in it.',
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
