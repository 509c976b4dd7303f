import { z } from 'zod'
import { bech32Of } from '#words/addresses/bytes'
import type { Context } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { forClients } from '../../../engine/upstream/errorBody.ts'
import { createLoader } from '../../../engine/upstream/loader.ts'
import { UpstreamHttpError } from '../../../engine/upstream/upstreamError.ts'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import {
  isJsonObject,
  lenientAmount,
  lenientDecimals,
  lenientOrNull,
  lenientPrice,
} from '../../../engine/wire/lenient.ts'
import { nativeAddress } from '../../account/address.ts'
import type { ChainAccountShape } from '../../account/chainAccount.ts'
import { findFamily } from '../../chain/knownChain.ts'
import { openCatalog } from '../catalog.ts'
import { postToRouter } from '../routerClient.ts'

const entry = z.object({
  amount: lenientAmount,
  error: z.unknown().optional().transform(wordsOf),
  decimals: lenientDecimals,
  price: lenientPrice,
  price_usd: lenientPrice,
  value_usd: lenientPrice,
})

const response = z.object({
  chains: z.record(
    z.string(),
    z
      .object({
        denoms: z.record(z.string(), lenientOrNull(entry)).nullish(),
        error: z.unknown().optional().transform(wordsOf),
      })
      .nullish(),
  ),
})

/** The router's error in place of a balance. Null if it reports the balance. */
function wordsOf(error: unknown): string | null {
  if (error === null || error === undefined || error === false || error === '') return null
  const message = isJsonObject(error) ? error.message : error
  return typeof message === 'string' ? message : ''
}

/** The error for what the router could not read of a balance. `words` are what it says in its place. */
export const unreadableBalance = (message: string, words: string): GatewayError =>
  new GatewayError('UPSTREAM_UNAVAILABLE', message, {
    service: 'router',
    upstreamMessage: forClients(words),
  })

/** The balance of one denom. The amount is null if the router could not read it, or sent no number. */
export interface BalanceRecord extends z.output<typeof entry> {
  readonly chainId: string
  readonly denom: string
}

interface BalanceKey {
  readonly account: ChainAccountShape
  readonly denoms: readonly string[]
}

/** The router's answer for an account: balances, null if it does not reach the chain, or an error. */
type BalanceResult = { readonly balances: BalanceRecord[] | null } | { readonly error: unknown }

/** An address that the router is asked for, by the accounts that it is one spelling of. */
interface Entry {
  readonly keys: readonly BalanceKey[]
  readonly chainId: string
  readonly denoms: readonly string[]
  readonly address: string
}

const balanceKey = ({ account: { chain, address }, denoms }: BalanceKey): string =>
  JSON.stringify([chain.chainId, address, denoms])

/** The balances of accounts on different chains, from one request. */
async function request(context: Context, entries: readonly Entry[]): Promise<Map<string, BalanceResult>> {
  const chains = Object.fromEntries(entries.map(({ chainId, address, denoms }) => [chainId, { address, denoms }]))
  const path = '/v2/info/balances'
  const body = await postToRouter(context, path, JSON.stringify({ chains }), response)
  return new Map(
    entries.flatMap((entry) => {
      const found = body?.chains[entry.chainId]
      const words = found?.error ?? null
      const result =
        words === null
          ? { balances: found ? toRecords(entry, found.denoms ?? {}) : null }
          : { error: unreadableBalance('The router could not read these balances.', words) }
      return entry.keys.map((key): [string, BalanceResult] => [balanceKey(key), result])
    }),
  )
}

/** An entry that cannot be read is a balance without an amount. */
const unreadable = decode(entry, {})

/** The balances of an account, without zeros unless their denoms were asked for. */
const toRecords = (
  { chainId, denoms: asked }: Entry,
  denoms: Readonly<Record<string, z.output<typeof entry> | null>>,
): BalanceRecord[] =>
  Object.entries(denoms)
    .map(([denom, balance]) => ({ chainId, denom, ...(balance ?? unreadable) }))
    .filter(({ amount, error }) => asked.length > 0 || error !== null || amount !== 0n)

/** Entries in as few groups as can be, with each chain at most once in a group. */
function groupEntries(entries: readonly Entry[]): Entry[][] {
  const groups: Map<string, Entry>[] = []
  for (const entry of entries) {
    const free = groups.find((group) => !group.has(entry.chainId))
    if (free) free.set(entry.chainId, entry)
    else groups.push(new Map([[entry.chainId, entry]]))
  }
  return groups.map((group) => [...group.values()])
}

/** Whether the router refuses the request, perhaps for one of its accounts only. */
const isRefusal = (error: unknown): boolean =>
  error instanceof UpstreamHttpError && error.status >= 400 && error.status < 500

/** The address for the router. Throws if it would be hex on a chain that wants bech32. */
async function findAddress(context: Context, { chain, address }: ChainAccountShape): Promise<string> {
  const native = await nativeAddress(context, chain, address)
  if (!native.startsWith('0x') || (await findFamily(context, chain)) !== 'COSMOS') return native
  // Nobody knows the prefix, but the client may have written it.
  if (bech32Of(address)) return address
  throw new GatewayError('UPSTREAM_UNAVAILABLE', `The prefix of addresses on ${chain.chainId} is not known.`, {
    service: 'router',
  })
}

/** The longest wait for the list of chains, in milliseconds. Balances can be asked for without it. */
const listMs = 1_000

/** The chains that the router reaches. Null if it cannot say, or not soon. Waited for once in an operation. */
const routerChains = (context: Context) =>
  context.scope.memory.load('soon known chains', () =>
    context.scope.within({ milliseconds: listMs }, () => openCatalog(context).chains()).catch(() => null),
  )

/** The addresses of accounts, each once. Accounts whose address is not known are given to `onError`. */
async function loadEntries(
  context: Context,
  keys: readonly BalanceKey[],
  onError: (key: BalanceKey, error: unknown) => void,
): Promise<Entry[]> {
  const entries = new Map<string, Entry>()
  const add = (key: BalanceKey) => (address: string) => {
    const { chainId } = key.account.chain
    const { denoms } = key
    const name = JSON.stringify([chainId, address, denoms])
    const others = entries.get(name)?.keys ?? []
    entries.set(name, { keys: [...others, key], chainId, denoms, address })
  }
  await Promise.all(
    keys.map((key) => findAddress(context, key.account).then(add(key), (error: unknown) => onError(key, error))),
  )
  return [...entries.values()]
}

async function loadMany(context: Context, keys: readonly BalanceKey[]): Promise<Map<string, BalanceResult>> {
  const known = await routerChains(context)
  const isReached = ({ account }: BalanceKey) => known?.find(account.chain.chainId) !== null
  const outcomes = new Map<string, BalanceResult>()
  // A router refuses a request that names one chain it does not reach, so that is left out of several.
  const asked = keys.length > 1 ? keys.filter(isReached) : keys
  for (const key of keys) if (!asked.includes(key)) outcomes.set(balanceKey(key), { balances: null })
  const entries = await loadEntries(context, asked, (key, error) => {
    outcomes.set(balanceKey(key), { error })
  })
  await Promise.all(
    groupEntries(entries).map(async (group) => {
      try {
        for (const [key, outcome] of await request(context, group)) outcomes.set(key, outcome)
      } catch (error) {
        // Asked for one by one, only the account that it refuses fails.
        if (group.length > 1 && isRefusal(error)) return
        for (const key of group.flatMap(({ keys }) => keys)) {
          const isNone = isRefusal(error) && !isReached(key)
          outcomes.set(balanceKey(key), isNone ? { balances: null } : { error })
        }
      }
    }),
  )
  return outcomes
}

const openLoader = (context: Context) =>
  context.scope.memory.get('balances', () =>
    createLoader<BalanceKey, BalanceResult>({
      keyOf: balanceKey,
      many: (keys) => loadMany(context, keys),
      one: async (key) => (await loadMany(context, [key])).get(balanceKey(key)) ?? null,
    }),
  )

/**
 * The balances of an account, of these denoms or of all. Null if the router does not reach its chain.
 * Accounts of different chains that an operation asks for together are asked for in one request.
 * Throws `NOT_CONFIGURED` without a router.
 */
export async function loadBalances(
  context: Context,
  account: ChainAccountShape,
  denoms: readonly string[],
): Promise<BalanceRecord[] | null> {
  // Accounts of chains without an indexer wait for this list. If all wait for it, they share one request.
  await routerChains(context)
  const outcome = await openLoader(context)({ account, denoms })
  if (outcome && 'error' in outcome) throw outcome.error
  return outcome?.balances ?? null
}
