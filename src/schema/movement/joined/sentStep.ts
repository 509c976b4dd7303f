import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { type FoundStep, isSameRoute, stepsIn } from '../../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import { bridgeOfRoute } from '../../router/bridges/bridges.ts'
import { findCounterparty } from '../recorded/counterparty.ts'
import { indexedSend } from '../reported/provable.ts'
import { bridgeByHopKey, type HopBody } from '../reported/readHop.ts'
import type { TransferRef } from '../reported/transferRef.ts'
import { isHexHash } from '../reported/txHash.ts'

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
 * several that are not told apart by the route of the hop, its chain, its coin or its amount.
 */
export async function sentOfHop(context: Context, hop: HopBody): Promise<FoundStep | null> {
  const first = indexedSend(context, hop)
  if (!first) return null
  const bridge = bridgeByHopKey.get(hop.kind)
  const { route } = hop.sentBy ?? {}
  const all = await loadSent(context, first.chain.chainId, first.hash)
  const steps = all.filter((step) => bridgeOfRoute(step.route) === bridge && (!route || isSameRoute(step.route, route)))
  if (steps.length < 2) return onlyOne(steps)
  const [to, denom, amount] = [ifReadable(hop.toChainId), ifReadable(hop.denomIn), ifReadable(hop.amountIn)]
  const ends = await Promise.all(steps.map((step) => findCounterparty(context, step)))
  const there = steps.filter((_, index) => to !== null && ends[index]?.chainId === to)
  if (there.length < 2) return onlyOne(there)
  return onlyOne(
    there.filter(
      (step) =>
        (denom === null || denom === (step.exchangedDenom ?? step.sourceDenom)) &&
        (amount === null || amount === step.amount),
    ),
  )
}

/** The step with which the first transaction of a transfer sent its coins. Null if it is not indexed, or sent several. */
export const sentOfTransfer = async (context: Context, { chainId, txHash }: TransferRef): Promise<FoundStep | null> =>
  onlyOne(await loadSent(context, chainId, txHash))
