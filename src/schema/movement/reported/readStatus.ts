import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { get } from '../../../engine/upstream/request.ts'
import { defineTopic, type Search } from '../../../engine/watch/model.ts'
import type { StateRules } from '../../../engine/watch/stateSource.ts'
import {
  jsonObject,
  lenient,
  lenientAmount,
  lenientBoolean,
  lenientCount,
  lenientGroup,
  lenientList,
  lenientString,
} from '../../../engine/wire/lenient.ts'
import { ifReadable, type Optional } from '../../../engine/wire/optional.ts'
import type { AmountShape } from '../../amount/assetAmount.ts'
import { bridgeByHopKey, type HopBody, type Problem, problem, readHop } from './readHop.ts'
import type { TransferRef } from './transferRef.ts'
import {
  combineStates,
  genericCompleted,
  isTerminal,
  rankOf,
  stateOf,
  type TransferStateName,
} from './transferState.ts'

const release = z
  .object({
    chain_id: lenientString,
    denom: lenientString,
    amount: lenientAmount,
    released: lenientBoolean,
  })
  .transform(
    ({ chain_id, denom, amount, released }): Release => ({
      denom,
      amount,
      released,
      chainId: chain_id,
    }),
  )

/** Where the asset of a transfer is released, and whether it has been. */
export interface Release extends AmountShape {
  readonly released: boolean
}

const leg = z.object({
  state: lenientString,
  status: lenientString,
  transfer_sequence: z.array(z.unknown()).nullish().catch(null),
  next_blocking_transfer: lenientGroup({ transfer_sequence_index: lenientCount }),
  transfer_asset_release: lenient(release),
  error: lenient(problem),
})

/** One of the transfers that a transaction started. */
export interface StartedTransfer {
  readonly state: TransferStateName
  /** The state by the router alone. Undefined until the records of the chains have been read, which can prove another one. */
  readonly reportedState?: TransferStateName
  readonly rawState: string
  readonly hops: readonly HopBody[]
  /** Index in `hops` of the hop that the transfer waits for, or failed at. */
  readonly blocking: number | null
  readonly release: Optional<Release>
  readonly error: Optional<Problem>
}

/** The status of a tracked transaction. */
export interface TransferStatus
  extends Pick<StartedTransfer, 'state' | 'reportedState' | 'rawState' | 'release' | 'error'> {
  /** At least one, once the router has seen the transaction. */
  readonly legs: readonly StartedTransfer[]
  /** The search for the transaction. Undefined once the router has seen it. */
  readonly search?: Search | undefined
  /** Whether it has ended by the word of the router alone, though records of the chains can still prove or contradict that. */
  readonly isUnproven?: true
  /** Whether that is because the records could not all be read. */
  readonly isUnread?: true
  /** Whether the records that prove its end are so young that their chain can still take them back. */
  readonly isYoung?: true
  /** Whether the router says that it has ended, and the records of the chains are still awaited. */
  readonly isHeld?: true
}

/** The status of a transaction that neither the router nor an indexer knows yet. */
const unseenStatus: TransferStatus = { state: 'SUBMITTED', rawState: '', legs: [], release: null, error: null }

/** The status of an indexed transaction that the router does not know. */
export const untrackedStatus: TransferStatus = { ...unseenStatus, state: 'UNTRACKED' }

/** The status of a transaction that failed on its chain, in the word of routers for that. */
export const failedStatus: TransferStatus = {
  ...unseenStatus,
  state: 'COMPLETED_ERROR',
  error: {
    type: 'STATUS_ERROR_TRANSACTION_EXECUTION',
    message: 'The first transaction failed on its chain. It sent nothing.',
  },
}

/** The status while a watch searches for a transaction in the router. `onChain` is the one by the indexer, if that has it. */
export const searchedStatus = (search: Search, onChain: TransferStatus | null): TransferStatus => ({
  ...(onChain ?? unseenStatus),
  search,
})

/**
 * The hops. The last complete hop to the chain of the release gets the amount and denom of the release, since
 * routers report no amounts of hops.
 */
function withRelease(hops: readonly HopBody[], sent: Optional<Release>): readonly HopBody[] {
  const release = ifReadable(sent)
  const at = hops.findLastIndex(({ state }) => state === 'COMPLETED')
  const last = hops[at]
  if (!last || !release?.released || last.toChainId !== release.chainId) return hops
  const { amountOut, denomOut } = last
  return hops.with(at, {
    ...last,
    amountOut: amountOut ?? release.amount,
    denomOut: denomOut ?? release.denom,
  })
}

// Uses `state`. Falls back to `status` if `state` is missing, or is unknown when the transfer has ended.
// `STATE_COMPLETED` alone can be a success or a failure: it is a failure if `status`, an error or a hop says so.
function readLeg({ state, status, error, ...body }: z.output<typeof leg>): StartedTransfer {
  const [word, coarse] = [ifReadable(state) ?? '', ifReadable(status) ?? '']
  const hasUnknownEnd = stateOf(word) === 'UNKNOWN' && isTerminal(stateOf(coarse))
  const rawState = word === '' || hasUnknownEnd ? coarse : word
  const release = body.transfer_asset_release
  const hops = withRelease((body.transfer_sequence ?? []).map(readHop), release)
  const failed = hops.findIndex((hop) => hop.state === 'FAILED')
  const hasFailure = ifReadable(error) !== null || failed >= 0 || stateOf(coarse) === 'COMPLETED_ERROR'
  const legState = rawState === genericCompleted && hasFailure ? 'COMPLETED_ERROR' : stateOf(rawState)
  // After a failure without an index, the hop that reports a failure has failed, or else the last hop.
  const hasStopped = legState === 'COMPLETED_ERROR' || legState === 'ABANDONED'
  const stoppedAt = hasStopped && hops.length > 0 ? (failed >= 0 ? failed : hops.length - 1) : null
  return {
    rawState,
    state: legState,
    hops,
    blocking: ifReadable(body.next_blocking_transfer?.transfer_sequence_index) ?? stoppedAt,
    release,
    error,
  }
}

const statusBody = z
  .object({ ...leg.shape, transfers: lenientList(jsonObject.pipe(leg)) })
  .transform((body, context): TransferStatus => {
    const top = readLeg(body)
    // A leg in a state unknown to this gateway has ended with the whole.
    const transfers = body.transfers
      .map(readLeg)
      .map((each) => (each.state === 'UNKNOWN' && isTerminal(top.state) ? endOf(each, top) : each))
    if (top.rawState === '' && transfers.every(({ rawState }) => rawState === '')) {
      context.addIssue({ code: 'custom', message: 'no state' })
      return z.NEVER
    }
    const legs = transfers.length > 1 ? transfers : [fillFromTop(transfers[0], top)]
    const { state, rawState } = aggregateState(top, transfers)
    return {
      state,
      rawState,
      legs,
      release: top.release ?? legs.find(({ release }) => release)?.release ?? null,
      error: top.error ?? legs.find(({ error }) => error)?.error ?? null,
    }
  })

/** A body that says nothing is that of a transaction which the router does not know. */
const status = z.preprocess((body) => (!Array.isArray(body) && isEmpty(body) ? null : body), statusBody.nullable())

const isEmpty = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isEmpty))

const endOf = (leg: StartedTransfer, { state, rawState }: StartedTransfer): StartedTransfer =>
  leg.rawState === '' ? leg : { ...leg, state, rawState }

/** The only leg. Fields that its own entry omits are at the top level of the body. */
function fillFromTop(only: StartedTransfer | undefined, top: StartedTransfer): StartedTransfer {
  const { state, rawState } = only && only.rawState !== '' ? only : top
  const { hops, blocking } = only?.hops.length ? only : top
  const release = only?.release ?? top.release
  const error = only?.error ?? top.error
  return { state, rawState, hops, blocking, release, error }
}

/**
 * The state of the whole transfer. The top level decides, unless it has no state or the generic one, or
 * there are several legs whose states are all known: then the legs decide.
 */
function aggregateState(
  top: StartedTransfer,
  legs: readonly StartedTransfer[],
): Pick<StartedTransfer, 'state' | 'rawState'> {
  const states = legs.map((leg) => (leg.rawState === '' ? top.state : leg.state))
  const combined = combineStates(states)
  const isGeneric = top.rawState === '' || top.rawState === genericCompleted
  const isDecidedByLegs = legs.length > 1 && !states.includes('UNKNOWN')
  if (legs.length === 0 || !(isGeneric || isDecidedByLegs)) {
    return { rawState: top.rawState, state: top.state }
  }
  // The word of the router for this state, which is not that of the top level where the legs decide.
  const deciding = legs.find(({ state }) => state === combined)?.rawState || ''
  const topSuffices = top.rawState !== '' && (isGeneric || top.state === combined)
  return { rawState: topSuffices ? top.rawState : deciding || top.rawState, state: combined }
}

/** The request for the status of a tracked transaction. It reads to null if the router says nothing of it. */
export const statusCall = ({ chainId, txHash }: TransferRef) =>
  get('/v2/tx/status', status, {
    query: { tx_hash: txHash, chain_id: chainId },
    isFinal: (read) => read !== null && isSettled(read),
  })

const completed: readonly TransferStateName[] = ['COMPLETED_SUCCESS', 'COMPLETED_ERROR']

/**
 * Whether a status never changes again. An abandoned transfer can resume. After the end of a transfer, the
 * router can still learn where its funds were released, and of the acknowledgements of its hops.
 */
const isSettled = ({ state, legs }: TransferStatus): boolean =>
  completed.includes(state) &&
  legs.every(
    (leg) =>
      completed.includes(leg.state) && ifReadable(leg.release)?.released === true && leg.hops.every(isHopSettled),
  )

function isHopSettled({ kind, state, transactions }: HopBody): boolean {
  const last = bridgeByHopKey.get(kind)?.hop.lastTransactions
  const isOver = state === 'COMPLETED' || state === 'FAILED'
  return isOver && (!last || transactions.some(({ slot }) => last.includes(slot)))
}

/** True if `now` describes an earlier moment than `before`, as replicas of a router can lag behind. */
function isStale(before: TransferStatus, now: TransferStatus): boolean {
  const [earlier, later] = [progressOf(before), progressOf(now)]
  const changed = earlier.findIndex((value, index) => value !== later[index])
  return changed >= 0 && (later[changed] ?? 0) < (earlier[changed] ?? 0)
}

/** How far a transfer is, the most significant number first. */
function progressOf({ state, legs }: TransferStatus): readonly number[] {
  const hops = legs.flatMap((leg) => leg.hops)
  return [
    rankOf(state),
    hops.filter((hop) => hop.state === 'COMPLETED' || hop.state === 'FAILED').length,
    hops.reduce((sum, hop) => sum + hop.transactions.length, 0),
    legs.filter(({ release }) => ifReadable(release) !== null).length,
    legs.filter(({ release }) => ifReadable(release)?.released).length,
  ]
}

/** The meaning of statuses that polls share. A key is `keyOf` a transfer. */
export const transferRules: StateRules<TransferStatus> = {
  topic: defineTopic<TransferStatus>('transfers'),
  equals: isDeepStrictEqual,
  isStale,
  isFinal: ({ state }) => isTerminal(state),
  isIrreversible: ({ state, isUnproven, isYoung }) =>
    isTerminal(state) && state !== 'ABANDONED' && !isUnproven && !isYoung,
  isSettled,
  isEnding: ({ isHeld = false }) => isHeld,
  startOf,
}

/** When the first transaction of a transfer was included in a block. */
function startOf({ legs }: TransferStatus): number | undefined {
  const times = legs.flatMap(({ hops }) =>
    hops.flatMap(({ transactions }) => transactions.map(({ on_chain_at }) => parseTime(on_chain_at))),
  )
  const known = times.filter((time) => !Number.isNaN(time))
  return known.length > 0 ? Math.min(...known) : undefined
}

const parseTime = (timestamp: Optional<string>): number => Date.parse(ifReadable(timestamp) ?? '')
