import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { inScopeOfItsOwn } from '../../../engine/graphql/live.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import { neverAborted } from '../../../kit/cache/region.ts'
import type { AccountShape } from '../../account/account.ts'
import { type Activity, transactionOf } from '../../indexer/live/activity.ts'
import { loadedAssets } from '../catalog.ts'
import { type AccountBalances, loadAllBalances } from './accountBalances.ts'
import { loadChanges } from './balanceChange.ts'
import type { BalanceRecord } from './balanceLoader.ts'

/** How long a read of balances is that of all who watch the account, in milliseconds. */
const sharedMs = 3_000

/**
 * Milliseconds from a transaction to the read of the balances, and to each further one. The router reads from another node than
 * the indexer, which can learn of the transaction later.
 */
const waits = [sharedMs, 3_000, 6_000, 12_000, 24_000, 48_000]

const liveBalances: CacheRegion<AccountBalances> = { name: 'live balances', maxEntries: 10_000, ttlMs: sharedMs }

/** The balances of an account, and those that differ from the event before. */
export interface BalancesChange {
  readonly all: AccountBalances
  readonly changed: readonly BalanceRecord[]
}

const keyOf = ({ chainId, denom }: Pick<BalanceRecord, 'chainId' | 'denom'>): string => `${chainId} ${denom}`

/**
 * The balances by chain and denom after a read, and those that it changed. A chain that could not be read keeps what it had. A
 * balance that is gone is 0.
 */
function merge(before: readonly BalanceRecord[], read: AccountBalances): BalancesChange {
  const silent = new Set(read.unavailable.map(({ chainId }) => chainId))
  const known = new Map(before.map((each) => [keyOf(each), each]))
  const found = new Set(read.balances.map(keyOf))
  const isNew = (each: BalanceRecord) => {
    const old = known.get(keyOf(each))
    return !old || old.amount !== each.amount || old.error !== each.error
  }
  const kept = before.filter(({ chainId }) => silent.has(chainId))
  const gone = before.filter((each) => !silent.has(each.chainId) && !found.has(keyOf(each)))
  const zeros = gone.map((each): BalanceRecord => ({ ...each, amount: 0n, value_usd: '0', error: null }))
  return {
    all: { ...read, balances: [...read.balances, ...kept] },
    changed: [...read.balances.filter(isNew), ...zeros],
  }
}

/**
 * Reads the balances of an account after each of its transactions, until they show what the transaction did, and until each chain
 * has been read, but only a few times: then the next transaction, or the next subscription, reads them again.
 */
export class BalanceWatch {
  readonly #context: LiveContext
  readonly #account: AccountShape
  readonly #chainIds: readonly string[]
  readonly #push: (change: BalancesChange) => void
  #known: readonly BalanceRecord[] = []
  /** Balances that a transaction has changed, by their keys, with the amounts before that. */
  readonly #expected = new Map<string, BalanceRecord['amount']>()
  /** The chains that the last event says could not be read. Undefined before the first event. */
  #unavailable: readonly string[] | undefined
  #reads = 0
  #cancel: (() => void) | undefined
  #isClosed = false

  constructor(
    context: LiveContext,
    account: AccountShape,
    chainIds: readonly string[],
    push: (change: BalancesChange) => void,
  ) {
    this.#context = context
    this.#account = account
    this.#chainIds = chainIds
    this.#push = push
  }

  /** Reads for the first time. Rejects if that cannot be. */
  async start(): Promise<void> {
    const read = await this.#load()
    this.#take(read)
  }

  /** Has the balances read again, since they may have changed. */
  expectChange(): void {
    if (this.#reads > 0) {
      // The turn that is planned can be most of a minute away.
      this.#cancel?.()
      this.#cancel = undefined
    }
    this.#reads = 0
    this.#plan()
  }

  /** Has the balances read until they show what a transaction did. */
  async follow(activity: Activity): Promise<void> {
    const record = transactionOf(activity)
    if (record) {
      // What follows may take a request.
      const before = this.#amounts()
      for (const denom of await this.#changedBy(activity, record)) {
        const key = keyOf({ chainId: activity.chain.chainId, denom })
        if (!this.#expected.has(key)) this.#expected.set(key, before.get(key) ?? 0n)
      }
    }
    if (activity.event.kind === 'record' || activity.event.kind === 'gap') this.expectChange()
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  /** The listed denoms whose balance a transaction has changed. None if it has too much to read. */
  async #changedBy({ chain, account }: Activity, record: NonNullable<ReturnType<typeof transactionOf>>) {
    const sums = new Map<string, bigint>()
    try {
      await inScopeOfItsOwn(this.#context, neverAborted, async (context) => {
        const { find } = await loadedAssets(context, chain.chainId)
        for (const { denom, amount } of await loadChanges(context, chain, record, { account })) {
          if (denom !== null && find(denom) !== null) sums.set(denom, (sums.get(denom) ?? 0n) + amount)
        }
      })
    } catch {
      return []
    }
    return [...sums].filter(([, amount]) => amount !== 0n).map(([denom]) => denom)
  }

  #amounts(): ReadonlyMap<string, BalanceRecord['amount']> {
    return new Map(this.#known.map((each) => [keyOf(each), each.amount]))
  }

  /** Reads the balances for all who watch the account. */
  #load(): Promise<AccountBalances> {
    const key = JSON.stringify([this.#account.bytes, this.#chainIds])
    return this.#context.cache
      .open(liveBalances)
      .fetch(key, (signal) =>
        inScopeOfItsOwn(this.#context, signal, (context) => loadAllBalances(context, this.#account, this.#chainIds)),
      )
  }

  #plan(): void {
    const wait = waits[this.#reads]
    if (wait === undefined || this.#cancel || this.#isClosed) return
    this.#cancel = this.#context.clock.after(wait, () => void this.#readAgain())
  }

  async #readAgain(): Promise<void> {
    this.#cancel = undefined
    this.#reads += 1
    const read = await this.#load().catch(() => null)
    if (this.#isClosed) return
    if (read) this.#take(read)
    else this.#plan()
  }

  #take(read: AccountBalances): void {
    const change = merge(this.#known, read)
    this.#known = change.all.balances
    const amounts = this.#amounts()
    for (const [key, before] of this.#expected) if ((amounts.get(key) ?? 0n) !== before) this.#expected.delete(key)
    const unavailable = read.unavailable.map(({ chainId }) => chainId)
    const isLast = waits[this.#reads] === undefined
    // That a chain cannot be read is told once it is not just for a moment.
    const isToldNow = isLast && unavailable.some((id) => !this.#unavailable?.includes(id))
    if (this.#unavailable === undefined || change.changed.length > 0 || isToldNow) {
      this.#unavailable = unavailable
      this.#push(change)
    }
    if (isLast) this.#expected.clear()
    // A router that does not reach a chain does not learn to.
    const canRecover = read.unavailable.some(({ error }) => error.code !== 'UPSTREAM_REJECTED')
    if (this.#expected.size > 0 || canRecover) this.#plan()
  }
}
