import { z } from 'zod'
import type { CacheRegion } from '../../cache/cache.ts'
import type { Context } from '../../graphql/builder.ts'
import { pageOf } from '../../upstream/decode.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { get } from '../../upstream/request.ts'

// The indexer does not report its VM, but on a chain without an EVM its EVM routes return 404. This
// route is in the published contract, and an unused account has the shortest response.
const evmProbePath = `/indexer/tx/v1/evm-txs/by_account/0x${'0'.repeat(40)}`

/** The request that tells whether a chain has an EVM: 404 if not. */
export const evmProbe = get(evmProbePath, pageOf('txs', z.unknown()), {
  query: { 'pagination.limit': 1, 'pagination.count_total': false },
})

/** By chain id: whether the chain has an EVM, as its indexer showed. */
const evmSupport: CacheRegion<boolean> = { name: 'evmSupport', maxEntries: 10_000 }

type Probing = Pick<Context, 'scope' | 'cache'>

/** Whether the chain has an EVM: as configured, or else as one request to its indexer shows. */
export function runsEvm(context: Probing, chain: ServedChain): boolean | Promise<boolean> {
  if (chain.vm) return chain.vm === 'EVM'
  return context.cache.open(evmSupport).get(chain.chainId) ?? probe(context, chain)
}

async function probe({ scope, cache }: Probing, chain: ServedChain): Promise<boolean> {
  const hasEvm = (await scope.fetch(chain.indexer, evmProbe)) !== null
  cache.open(evmSupport).set(chain.chainId, hasEvm)
  return hasEvm
}
