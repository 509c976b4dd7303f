import { hexDigest, itemAt, pick } from '../random.ts'
import type { Cost } from './costs.ts'
import type { Fixtures } from './fixtures.ts'
import { lastSequence, timeOf, timestampOf } from './schedule.ts'

/** The sequences of the transactions of a block, in block order. */
export function sequencesAt(height: number): readonly number[] {
  const first = lastSequence(height - 1) + 1
  return Array.from({ length: lastSequence(height) - first + 1 }, (_, index) => first + index)
}

/** A block as the indexer returns it. Gas and fees are sums over the costs of its transactions. */
export function blockRecord({ chain, seed, validators }: Fixtures, height: number, costs: readonly Cost[]) {
  const fees = new Map<string, bigint>()
  for (const { fee } of costs) {
    fees.set(fee.denom, (fees.get(fee.denom) ?? 0n) + BigInt(fee.amount))
  }
  const proposer = itemAt(validators, pick(validators.length, seed, chain.chainId, height))
  return {
    chain_id: chain.chainId,
    height: String(height),
    hash: hexDigest(32, seed, chain.chainId, 'block', height).toUpperCase(),
    block_time: String(height === 1 ? 0 : timeOf(chain, height) - timeOf(chain, height - 1)),
    timestamp: timestampOf(chain, height),
    gas_used: String(costs.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
    gas_wanted: String(costs.reduce((sum, { gasWanted }) => sum + gasWanted, 0n)),
    tx_count: String(costs.length),
    total_fee: [...fees]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([denom, amount]) => ({ denom, amount: String(amount) })),
    proposer: {
      moniker: proposer.moniker,
      identity: '',
      operator_address: proposer.operatorAddress,
    },
  }
}
