import { z } from 'zod'
import type { Context } from '../../engine/graphql/builder.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { get } from '../../engine/upstream/request.ts'
import { pageOf } from '../../engine/wire/decode.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { findInResponses } from './findInResponses.ts'

// The indexer does not report its VM, but on a chain without an EVM its EVM routes return 404. This
// route is in the published contract, and an unused account has the shortest response.
const evmProbePath = `/indexer/tx/v1/evm-txs/by_account/0x${'0'.repeat(40)}`

/** The request that shows whether a chain has an EVM: 404 if not. */
export const evmProbe = get(evmProbePath, pageOf('txs', z.unknown()), {
  query: { 'pagination.limit': 1, 'pagination.count_total': false },
})

const evmSupport: CacheRegion<boolean> = { name: 'evmSupport', maxEntries: 10_000 }

/**
 * Whether the chain has an EVM: as configured, or else by one request to its indexer. An EVM that is not
 * indexed yet looks like none.
 */
export const runsEvm = (context: Pick<Context, 'scope'>, chain: ServedChain): boolean | Promise<boolean> =>
  chain.vm
    ? chain.vm === 'EVM'
    : findInResponses(context, chain.indexer, {
        region: evmSupport,
        find: async () => (await context.scope.fetch(chain.indexer, evmProbe)) !== null,
        isFound: (hasEvm) => hasEvm,
      })
