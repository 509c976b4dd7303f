import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { bridgeOf, type FoundStep, stepsIn } from '../../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import { findCounterparty } from '../bridgeTransfer/counterparty.ts'
import { indexedSend, isHexHash } from './provable.ts'
import { bridgeByHopKey, type HopBody } from './readHop.ts'
import type { TransferRef } from './transferRef.ts'

/** The steps with which the transaction with this hash sent coins. None if no indexer has it. */
export async function loadSent(context: Context, chainId: string, hash: string): Promise<readonly FoundStep[]> {
  const chain = context.network.chains.get(chainId)
  if (!chain || !isHexHash(hash)) return []
  const record = await fetchTransaction(context, chain, hash)
  const steps = record ? await stepsIn(context, chain, record) : []
  return steps.filter(({ kind }) => kind === 'SENT')
}

/** The only one. Null if there are several, since nothing says which is meant. */
const onlyOne = (steps: readonly FoundStep[]): FoundStep | null => (steps.length === 1 ? (steps[0] ?? null) : null)

/**
 * The step with which the first transaction of a hop sent its coins over the bridge of the hop. Null if it is not indexed, or sent
 * several to the chain of the hop.
 */
export async function sentOfHop(context: Context, hop: HopBody): Promise<FoundStep | null> {
  const first = indexedSend(context, hop)
  if (!first) return null
  const bridge = bridgeByHopKey.get(hop.kind)?.id
  const all = await loadSent(context, first.chain.chainId, first.hash)
  const steps = all.filter(({ route }) => bridgeOf(route) === bridge)
  if (steps.length < 2) return onlyOne(steps)
  const to = ifReadable(hop.toChainId)
  const ends = await Promise.all(steps.map((step) => findCounterparty(context, step)))
  return onlyOne(steps.filter((_, index) => to !== null && ends[index]?.chainId === to))
}

/** The step with which the first transaction of a transfer sent its coins. Null if it is not indexed, or sent several. */
export const sentOfTransfer = async (context: Context, { chainId, txHash }: TransferRef): Promise<FoundStep | null> =>
  onlyOne(await loadSent(context, chainId, txHash))
