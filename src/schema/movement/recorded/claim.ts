import type { Context } from '../../../engine/graphql/builder.ts'
import { encodeKey } from '../../../engine/pagination/keys.ts'
import { List } from '../../../engine/pagination/list.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { readable } from '../../../engine/wire/decode.ts'
import { withinShare } from '../../indexer/accounts/chainShare.ts'
import { findPlace } from '../../indexer/time/places.ts'
import { parseNanoseconds } from '../../indexer/time/timeFilter.ts'
import { timedTransactions } from '../../indexer/time/timeRange.ts'
import { attributesOf, type TransactionRecord } from '../../indexer/transaction/wire.ts'
import type { OutputMessage, WithdrawalClaims } from '../../router/bridges/defineBridge.ts'

/** An output of a rollup on the hub: what the blocks of the rollup had done up to a height. */
export interface RollupOutput {
  readonly index: string
  /** When the hub got it, as its indexer writes it. */
  readonly timestamp: string
}

type OutputNames = WithdrawalClaims['outputs']

/** What a withdrawal waits for. */
export interface ClaimShape {
  /** The first output that has it. Null if the hub has none, or none was found. */
  readonly output: RollupOutput | null
  /** Seconds from the output until the claim, of this bridge. Null if they are not known. */
  readonly finalizationSeconds: number | null
  /** Whether it was claimed. Null if what was not read can have the claim. */
  readonly isClaimed: boolean | null
}

/** When a withdrawal can be claimed, in milliseconds since 1970. Null if that is not known. */
export const claimableAt = ({ output, finalizationSeconds }: ClaimShape): number | null =>
  output && finalizationSeconds !== null ? Date.parse(output.timestamp) + finalizationSeconds * 1_000 : null

/** Whether it can be claimed at a time, in milliseconds since 1970. Null if unknown. */
export function isClaimable(claim: ClaimShape, now: number): boolean | null {
  const time = claimableAt(claim)
  if (claim.isClaimed) return false
  if (time === null) return null
  return now < time ? false : claim.isClaimed === null ? null : true
}

/** Where a withdrawal began. */
export interface WithdrawalStart {
  /** The height of the rollup. */
  readonly height: bigint
  readonly timestamp: string
  readonly bridgeId: string
}

/** The most times that outputs of one withdrawal are looked for again after a deletion. */
const maxDeletions = 3

/** Outputs that were looked for lately, for who reads a page again. A rollup writes one in an hour, and a challenger seldom deletes one. */
const outputs = { name: 'outputs of withdrawals', maxEntries: 10_000, ttlMs: 15_000 }

/** The first output of a rollup that has a height, as the hub had it at most 15 seconds ago. Null if it has none, or none is found. */
export async function findOutput(
  context: Context,
  hub: ServedChain,
  claims: WithdrawalClaims,
  start: WithdrawalStart,
): Promise<RollupOutput | null> {
  const found = context.scope.cache.values<{ readonly output: RollupOutput | null }>(outputs)
  const key = `${hub.chainId} ${start.bridgeId} ${start.height}`
  const before = found.get(key)
  if (before) return before.output
  const output = await searchOutput(context, hub, claims, start)
  found.set(key, { output })
  return output
}

/**
 * The first output of a rollup that has a height, as far as it still stands: a proposer or challenger can delete outputs until
 * they are final, and then the clock starts again with another one.
 */
async function searchOutput(
  context: Context,
  hub: ServedChain,
  { outputs: names }: WithdrawalClaims,
  start: WithdrawalStart,
): Promise<RollupOutput | null> {
  const { proposal, deletion } = names
  let from = parseNanoseconds(start.timestamp)
  for (let tries = 0; tries <= maxDeletions; tries += 1) {
    const output = await firstFrom(context, hub, proposal, from, (record) => outputIn(record, names, start))
    if (!output) return null
    const since = parseNanoseconds(output.timestamp)
    const deleted = await firstFrom(context, hub, deletion, since, (record) => deletionOf(record, names, start, output))
    if (!deleted) return output
    from = parseNanoseconds(deleted)
  }
  return null
}

/** The output in a proposal, if it is of the bridge and has the height. */
function outputIn(
  { events, timestamp }: TransactionRecord,
  { proposal, ...names }: OutputNames,
  { bridgeId, height }: WithdrawalStart,
): RollupOutput | null {
  const [bridges, indexes, heights] = [names.bridgeId, names.index, names.height].map((key) =>
    attributesOf(events, proposal.event, key),
  )
  const at = bridges?.findIndex((id, each) => id === bridgeId && toNumber(heights?.[each]) >= height) ?? -1
  const index = indexes?.[at]
  return index === undefined ? null : { index, timestamp }
}

/** The time at which an output was deleted, if a transaction deleted it: an output goes with all later ones. */
function deletionOf(
  record: TransactionRecord,
  { deletion, ...names }: OutputNames,
  { bridgeId }: WithdrawalStart,
  output: RollupOutput,
): string | null {
  const [bridges, indexes] = [names.bridgeId, names.index].map((key) =>
    attributesOf(record.events, deletion.event, key),
  )
  const isDeleted = bridges?.some((id, each) => id === bridgeId && toNumber(indexes?.[each]) <= toNumber(output.index))
  return isDeleted ? record.timestamp : null
}

const toNumber = (text: string | undefined): bigint =>
  text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : -1n

/** What the first transaction of a chain with a message of a type gives, from a time on. Null if none of a page does. */
function firstFrom<T>(
  context: Context,
  chain: ServedChain,
  { message }: OutputMessage,
  time: bigint,
  read: (record: TransactionRecord) => T | null,
): Promise<T | null> {
  return withinShare(context, chain.chainId, async () => {
    const recent = await newestOf(context, chain, message)
    if (recent && recent.from < time) return firstIn(recent.records.toReversed(), time, read)
    const place = await findPlace(context, chain, time, { isReverse: false })
    if (place === null) return null
    const source = { ...timedTransactions.all.source, query: { msgs: message }, total: 'none' } as const
    const list = new List(context.scope, chain.indexer, source, 'ASC')
    const page = await list.fetch({ key: encodeKey('sequence', place.key - 1n), limit: scanPage, isReverse: false })
    return firstIn(readable(page?.items ?? []), time, read)
  })
}

function firstIn<T>(
  records: readonly TransactionRecord[],
  time: bigint,
  read: (record: TransactionRecord) => T | null,
): T | null {
  for (const record of records) {
    const found = record.code === 0 && parseNanoseconds(record.timestamp) >= time ? read(record) : null
    if (found) return found
  }
  return null
}

/**
 * The newest transactions of a chain with a message of a type, the newest first, and from which time on they are all. An operation
 * reads them once for all withdrawals. Null if one of them cannot be read.
 */
const newestOf = (context: Context, chain: ServedChain, message: string) =>
  context.scope.memory.load(`newest ${message} of ${chain.chainId}`, async () => {
    const source = { ...timedTransactions.all.source, query: { msgs: message }, total: 'none' } as const
    const list = new List(context.scope, chain.indexer, source, 'DESC')
    const page = await list.fetch({ limit: scanPage, isReverse: true })
    const records = readable(page?.items ?? [])
    if (!page || records.length < page.items.length) return null
    const last = records.at(-1)
    return { records, from: page.nextKey === null || !last ? 0n : parseNanoseconds(last.timestamp) }
  })
