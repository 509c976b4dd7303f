import { z } from 'zod'
import {
  chainIdString,
  isJsonObject,
  type JsonObject,
  jsonObject,
  lenient,
  lenientBigInt,
  lenientBoolean,
  lenientInt,
  lenientList,
  lenientString,
  lenientTimestamp,
} from '../../../upstream/lenient.ts'
import { get } from '../../../upstream/request.ts'
import { routerHash } from '../routerInput.ts'
import {
  coarseCompleted,
  type HopStateName,
  hopStateOf,
  isTerminal,
  rankOf,
  type State,
  stateOf,
  stateOfAll,
} from './state.ts'

const hopTransaction = z.object({
  chain_id: lenientString,
  tx_hash: z.string().min(1),
  explorer_link: lenientString,
  on_chain_at: lenientTimestamp,
})

/** A transaction a hop is made of; `slot` is its part in it, in the router's word. */
export interface HopTransactionBody extends z.output<typeof hopTransaction> {
  readonly slot: string
}

const hopCommon = z.object({
  from_chain_id: lenientString,
  to_chain_id: lenientString,
  src_chain_id: lenientString,
  dst_chain_id: lenientString,
  state: lenientString,
  error_message: lenientString,
})

/** Some routers send no more than the sentence. */
const problem = z.preprocess(
  (value) => (typeof value === 'string' && value !== '' ? { message: value } : value),
  z.object({ type: lenientString, message: lenientString, details: z.unknown().optional() }),
)
export type Problem = z.output<typeof problem>

/** One hop, read alike whatever its bridge. */
export interface HopBody {
  /** The key it stands under, which names the bridge. */
  readonly kind: string
  readonly body: unknown
  readonly fromChainId: string | null
  readonly toChainId: string | null
  readonly state: HopStateName
  readonly rawState: string
  readonly transactions: readonly HopTransactionBody[]
  readonly error: Problem | null
}

const nothing: HopBody = {
  kind: '',
  body: null,
  fromChainId: null,
  toChainId: null,
  state: 'UNKNOWN',
  rawState: '',
  transactions: [],
  error: null,
}

function readHop(entry: unknown): HopBody {
  if (!isJsonObject(entry)) return { ...nothing, body: entry }
  const [kind, body] = bridgeOf(entry)
  const common = hopCommon.parse(body)
  const slots = slotsOf(body)
  return {
    kind,
    body,
    fromChainId: common.from_chain_id ?? common.src_chain_id,
    toChainId: common.to_chain_id ?? common.dst_chain_id,
    state: hopStateOf(common.state ?? ''),
    rawState: common.state ?? '',
    transactions: Object.entries(slots).flatMap(([slot, value]) => {
      const found = lenient(hopTransaction).parse(value)
      return found === null ? [] : [{ slot, ...found }]
    }),
    error: lenient(problem).parse(slots.error) ?? messageOnly(common.error_message),
  }
}

/** What a hop stands under, and what stands there; with some routers it stands under nothing. */
function bridgeOf(entry: JsonObject): [kind: string, body: JsonObject] {
  for (const [kind, body] of Object.entries(typeof entry.state === 'string' ? {} : entry)) {
    if (isJsonObject(body)) return [kind, body]
  }
  return ['', entry]
}

const messageOnly = (message: string | null): Problem | null =>
  message === null ? null : { type: null, message, details: null }

// Axelar's hops have their transactions one level deeper than the others.
function slotsOf(body: JsonObject): JsonObject {
  const slots = isJsonObject(body.packet_txs)
    ? body.packet_txs
    : isJsonObject(body.txs)
      ? body.txs
      : {}
  const inner = slots.contract_call_with_token_txs ?? slots.send_token_txs
  return isJsonObject(inner) ? inner : slots
}

const release = z.object({
  chain_id: chainIdString,
  denom: z.string(),
  amount: lenientBigInt,
  released: lenientBoolean,
})
export type Release = z.output<typeof release>

const part = z.object({
  state: lenientString,
  status: lenientString,
  transfer_sequence: z.array(z.unknown()).nullish().catch(null),
  next_blocking_transfer: lenient(z.object({ transfer_sequence_index: lenientInt })),
  transfer_asset_release: lenient(release),
  error: lenient(problem),
})

/** One of the transfers that a transaction started. */
export interface Leg {
  readonly state: State
  readonly rawState: string
  readonly hops: readonly HopBody[]
  /** Index of the hop everything waits for, in `hops`. */
  readonly blocking: number | null
  readonly release: Release | null
  readonly error: Problem | null
}

/** All that a router says of a tracked transaction. */
export interface TransferStatus extends Pick<Leg, 'state' | 'rawState' | 'release' | 'error'> {
  /** At least one. */
  readonly legs: readonly Leg[]
}

// `state` tells more than `status`. Where a router has but the coarse word for an end, an error or a
// failed hop beside it is what tells which end it is.
function legOf({ state, status, error, ...body }: z.output<typeof part>): Leg {
  const rawState = state ?? status ?? ''
  const hops = (body.transfer_sequence ?? []).map(readHop)
  const isMarred = error !== null || hops.some((hop) => hop.state === 'FAILED')
  return {
    rawState,
    state: rawState === coarseCompleted && isMarred ? 'COMPLETED_ERROR' : stateOf(rawState),
    hops,
    blocking: body.next_blocking_transfer?.transfer_sequence_index ?? null,
    release: body.transfer_asset_release,
    error,
  }
}

const status = z
  .intersection(part, z.object({ transfers: lenientList(jsonObject.pipe(part)) }))
  .transform((body, context): TransferStatus => {
    const whole = legOf(body)
    const parts = body.transfers.map(legOf)
    if (whole.rawState === '' && parts.every((leg) => leg.rawState === '')) {
      context.addIssue({ code: 'custom', message: 'no state in it' })
      return z.NEVER
    }
    const legs = parts.length > 1 ? parts : [completed(parts[0], whole)]
    return {
      ...overall(whole, parts),
      legs,
      release: whole.release ?? legs.find((leg) => leg.release)?.release ?? null,
      error: whole.error ?? legs.find((leg) => leg.error)?.error ?? null,
    }
  })

/** The only transfer; what its own entry leaves out stands at the top of the body. */
const completed = (only: Leg | undefined, whole: Leg): Leg => ({
  ...(only && only.rawState !== '' ? only : whole),
  hops: only?.hops.length ? only.hops : whole.hops,
  blocking: only?.hops.length ? only.blocking : whole.blocking,
  release: only?.release ?? whole.release,
  error: only?.error ?? whole.error,
})

function overall(whole: Leg, parts: readonly Leg[]): Pick<Leg, 'state' | 'rawState'> {
  const states = parts.map((leg) => (leg.rawState === '' ? whole.state : leg.state))
  const all = stateOfAll(states)
  const rawState = whole.rawState || (parts.find(({ state }) => state === all)?.rawState ?? '')
  const isVague = whole.rawState === '' || whole.rawState === coarseCompleted
  const isCounted = parts.length > 1 && !states.includes('UNKNOWN')
  return { rawState, state: parts.length > 0 && (isVague || isCounted) ? all : whole.state }
}

/** Asks how a tracked transaction fares. */
export const statusCall = (chainId: string, txHash: string) =>
  get('/v2/tx/status', status, {
    query: { tx_hash: routerHash(chainId, txHash), chain_id: chainId },
  })

/** True when an answer tells of an earlier moment than the one before it. */
export function isStale(before: TransferStatus, now: TransferStatus): boolean {
  if (isTerminal(now.state)) return false
  const [was, is] = [progressOf(before), progressOf(now)]
  const changed = was.findIndex((value, index) => value !== is[index])
  return changed >= 0 && (is[changed] ?? 0) < (was[changed] ?? 0)
}

function progressOf({ state, legs }: TransferStatus): readonly number[] {
  const hops = legs.flatMap((leg) => leg.hops)
  return [
    rankOf(state),
    hops.filter((hop) => hop.state === 'COMPLETED' || hop.state === 'FAILED').length,
    hops.reduce((sum, hop) => sum + hop.transactions.length, 0),
  ]
}
