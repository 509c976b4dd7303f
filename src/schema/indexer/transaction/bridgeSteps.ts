import { isSameAddress } from '#words/addresses/bytes'
import { type BridgeRoute, type BridgeStep, bridgeStepsOf, isOnSource } from '#words/bridges/bridgeSteps'
import type { Context } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Awaitable, withValue } from '../../../kit/awaitable.ts'
import { readRecord } from '../readRecord.ts'
import { parseNanoseconds } from '../time/timeFilter.ts'
import { allEventsOf, type TransactionRecord } from './wire.ts'

/** A step of a bridge transfer, and the transaction that has it. */
export interface FoundStep extends BridgeStep {
  readonly chainId: string
  readonly hash: string
  readonly height: bigint
  /** The time of its block, as the indexer writes it. */
  readonly timestamp: string
}

/** Whether the coins have to be claimed on the hub. */
export const isWithdrawal = (route: BridgeRoute | null): boolean =>
  route !== null && 'direction' in route && route.direction === 'WITHDRAWAL'

/** The steps of a transaction, which an operation reads once. None for a failed one. */
export function stepsIn(context: Context, chain: ServedChain, record: TransactionRecord): Awaitable<FoundStep[]> {
  const { chainId, vm } = chain
  const { code, height, timestamp, txhash: hash, tx } = record
  if (code !== 0) return []
  return context.scope.memory.get(`bridge steps of ${chainId} ${hash}`, () => {
    const steps = bridgeStepsOf({ vm, messages: tx?.body?.messages ?? [], events: allEventsOf(chain, record) })
    return withValue(readRecord(context, 'bridgeTransfers', steps), (all) =>
      all.map((step) => ({ ...step, chainId, hash, height, timestamp })),
    )
  })
}

/** The steps of a transaction, or why they cannot be read. A record that anybody can write must not hide the others of its list. */
export async function readableSteps(
  context: Context,
  chain: ServedChain,
  record: TransactionRecord,
): Promise<FoundStep[] | GatewayError> {
  try {
    return await stepsIn(context, chain, record)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

/**
 * Whether a step is one of an account: of the sender, the receiver, or who made a contract send it. A chain proves the sender of
 * what leaves it. Of what comes from elsewhere it proves who got it, not who sent it.
 */
export const isOf = (step: FoundStep, account: string): boolean =>
  [step.receiver, ...(isOnSource(step) ? [step.sender, step.caller] : [])].some((party) =>
    isSameAddress(party, account),
  )

/** Names a step among all of all chains. One message can be a step of several transfers, over several ways. */
export const keyOfStep = ({ chainId, hash, messageIndex, kind, route }: FoundStep): string =>
  JSON.stringify([chainId, hash, messageIndex, kind, route])

/** Whether two steps are of one route: the same packet, or the same deposit or withdrawal. A rollup's own events name no bridge. */
export function isSameRoute(one: BridgeRoute, other: BridgeRoute): boolean {
  if (one.sequence !== other.sequence) return false
  if ('source' in one) {
    return 'source' in other && one.source === other.source && one.destination === other.destination
  }
  if ('source' in other || one.direction !== other.direction) return false
  return one.bridgeId === null || other.bridgeId === null || one.bridgeId === other.bridgeId
}

/**
 * Whether two steps are of one transfer. Numbers of channels and bridges are given by each chain, so what they carry and for
 * whom has to be the same too: the chains at both ends may not be known.
 */
export const isSameTransfer = (one: BridgeStep, other: BridgeStep): boolean =>
  isSameRoute(one.route, other.route) &&
  isSameParty(one.sender, other.sender) &&
  isSameParty(one.receiver, other.receiver) &&
  one.amount === other.amount &&
  one.sourceDenom === other.sourceDenom &&
  one.destinationDenom === other.destinationDenom

/** How far apart the clocks of two chains can be, in nanoseconds. */
export const clockSlack = 60_000_000_000n

/**
 * Whether two steps of one route can be of one transfer by their times. A chain that began anew, as testnets do, gives the same
 * numbers again. A chain takes no packet after its time limit.
 */
export function isInTime(before: FoundStep, after: FoundStep): boolean {
  const [from, to] = [before, after].map(({ timestamp }) => parseNanoseconds(timestamp))
  if (from === undefined || to === undefined || to < from - clockSlack) return false
  return isOnSource(after) || before.timeout === null || to <= before.timeout + clockSlack
}

const isSameParty = (one: string | null, other: string | null): boolean => one === other || isSameAddress(one, other)
