import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import { Account } from '../account/account.ts'
import { addressOn } from '../account/address.ts'
import { ChainAccount, type ChainAccountShape } from '../account/chainAccount.ts'
import { chainOf } from '../chain/knownChain.ts'
import { openCatalog } from './catalog.ts'

/** Chains that the cost of a document counts with, since it is known before the router's list. */
const usualChains = 50

/** The account on a chain without an indexer. Null if no address there has this length. */
async function accountOn(context: Context, chainId: string, hexAddress: string): Promise<ChainAccountShape | null> {
  const chain = chainOf(context, chainId)
  try {
    const address = await addressOn(context, chain, hexAddress)
    return { __typename: 'ChainAccount', chain, address }
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'BAD_USER_INPUT') return null
    throw error
  }
}

builder.objectField(Account, 'routableChainAccounts', (t) =>
  t.field({
    type: [ChainAccount],
    nullable: true,
    description:
      'This address on chains that only the router reaches, where addresses have its length. Without hidden chains.',
    complexity: { field: callCost, multiplier: usualChains },
    resolve: async ({ bytes }, _args, context) => {
      const { all } = await openCatalog(context).chains()
      const others = all.filter(({ chain_id, hidden }) => !hidden && !context.network.chains.has(chain_id))
      const accounts = await Promise.all(others.map(({ chain_id }) => accountOn(context, chain_id, `0x${bytes}`)))
      return accounts.filter((account) => account !== null)
    },
  }),
)
