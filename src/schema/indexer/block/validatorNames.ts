import type { Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import type { ProposerRecord } from './wire.ts'

/** Monikers by operator address, of each indexer. A chain has a hundred validators or so. */
const region: CacheRegion<Map<string, string>> = { name: 'validator names', maxEntries: 1_000 }

/** Keeps the moniker of a validator that proposed a block. The newest block read has the name it has now. */
export function keepValidatorName(
  { scope }: Pick<Context, 'scope'>,
  { indexer }: ServedChain,
  proposer: ProposerRecord | null | undefined,
): void {
  if (!proposer?.operator_address || !proposer.moniker) return
  scope.cache.note(region, indexer.source, proposer.operator_address, proposer.moniker)
}

/** The moniker of a validator. Undefined until this gateway has read a block that it proposed. */
export const validatorName = (
  { scope }: Pick<Context, 'scope'>,
  { indexer }: ServedChain,
  operatorAddress: string,
): string | undefined => scope.cache.noted(region, indexer.source, operatorAddress)
