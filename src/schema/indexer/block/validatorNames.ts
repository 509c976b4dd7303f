import type { Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import type { ProposerRecord } from './wire.ts'

/** Monikers by indexer and operator address. A chain has a hundred validators or so. */
const region: CacheRegion<string> = { name: 'validator names', maxEntries: 5_000 }

const validatorKey = ({ indexer }: ServedChain, operatorAddress: string): string =>
  `${indexer.source} ${operatorAddress}`

/** Keeps the moniker of a validator that proposed a block. The newest block read has the name it has now. */
export function keepValidatorName(
  { scope }: Pick<Context, 'scope'>,
  chain: ServedChain,
  proposer: ProposerRecord | null | undefined,
): void {
  if (!proposer?.operator_address || !proposer.moniker) return
  scope.cache.note(region, validatorKey(chain, proposer.operator_address), proposer.moniker)
}

/** The moniker of a validator. Undefined until this gateway has read a block that it proposed. */
export const validatorName = (
  { scope }: Pick<Context, 'scope'>,
  chain: ServedChain,
  operatorAddress: string,
): string | undefined => scope.cache.noted(region, validatorKey(chain, operatorAddress))
