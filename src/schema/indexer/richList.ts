import { z } from 'zod'
import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import type { Position } from '../../engine/pagination/cursor.ts'
import { List } from '../../engine/pagination/list.ts'
import { largestLimit } from '../../engine/pagination/pageCaps.ts'
import type { ListOrder, ListSource } from '../../engine/pagination/source.ts'
import { badInput } from '../../engine/upstream/error.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { path } from '../../engine/upstream/request.ts'
import { amount, type Listed, pageOf, readable } from '../../engine/wire/decode.ts'
import { ChainAccount, chainAccount } from '../account/chainAccount.ts'
import { type AmountShape, AssetAmount } from '../amount/assetAmount.ts'
import { toPercent } from '../amount/decimal.ts'
import { Chain } from '../chain/chain.ts'
import { listedRecords, listField } from './listField.ts'

// Upstream

const holder = z.object({ account: z.string(), amount })
type HolderRecord = z.output<typeof holder>

export const holdersPage = pageOf('holders', holder)

// Graph

interface HolderShape extends AmountShape {
  readonly chain: ServedChain
  readonly account: string
  readonly denom: string
  readonly amount: bigint
  readonly rank: number | null
  readonly order: ListOrder
}

const TokenHolder = builder.objectRef<HolderShape>('TokenHolder').implement({
  description: 'The balance of one holder of a denom.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    account: t.value(ChainAccount, 'The holder.', (holder) => chainAccount(holder.chain, holder.account)),
    denom: t.nullable('Denom', 'The denom, as in the argument.', ({ denom }) => denom),
    amount: t.nullable(
      'BigInt',
      'Balance in base units. Former holders remain in the list with 0.',
      ({ amount }) => amount,
    ),
    sharePercent: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'Percent of the sum of all balances, from 0 to 100. Null with over 1,000 holders. Costs one upstream request a denom.',
      complexity: callCost,
      resolve: async (holder, _args, context) => {
        const supply = await loadSupply(context, holder)
        return supply === null ? null : toPercent(holder.amount, supply)
      },
    }),
    rank: t.nullable(
      'UInt53',
      'Rank by balance, from 1. Null in over 1,000 holders read from the smallest.',
      ({ rank }) => rank,
    ),
  }),
})

/**
 * The key of the rich list of a denom. A denom that contains its EVM contract is looked up by the contract. To
 * find the contract of a denom can take the indexer most of a minute.
 */
export function richListKey(denom: string): string {
  if (!/^[\w:.+/-]{1,256}$/.test(denom)) {
    throw badInput('Invalid denom. Use 1 to 256 letters, digits and / : . _ + -.', 'INVALID_DENOM')
  }
  const contract = /^evm\/([0-9a-f]{40})$/i.exec(denom)?.[1]
  return contract ? `0x${contract.toLowerCase()}` : denom
}

/** The place of a holder, if its position counts from the largest. */
function rankOf(position: Position, order: ListOrder): number | null {
  const largest = order === 'DESC' ? 'start' : 'end'
  return position.kind === 'offset' && position.from === largest ? position.index + 1 : null
}

/** How rich lists are read. Lists of up to a thousand holders are read whole. */
const source = {
  page: holdersPage,
  strategy: { kind: 'offset' },
  total: 'count',
  window: { limit: largestLimit, anchor: 'last' },
} as const

/** The rich list of a denom. */
const richList = (denom: string): ListSource<Listed<HolderRecord>> => ({
  path: path`/indexer/richlist/v1/${richListKey(denom)}`,
  ...source,
})

/** The sum of all balances of a denom. Null if its holders are too many to be read at once. */
const loadSupply = (context: Context, { chain, denom, order }: HolderShape): Promise<bigint | null> =>
  context.scope.memory.get(`supply of ${chain.chainId} ${denom}`, async () => {
    const holders = await new List(context.scope, chain.indexer, richList(denom), order).readWhole()
    if (!holders || readable(holders).length < holders.length) return null
    return readable(holders).reduce((sum, { amount }) => sum + amount, 0n)
  })

const listedHolders = listedRecords(TokenHolder, 'holders of a denom', { source })

builder.objectField(Chain, 'richList', (t) =>
  listField(t, listedHolders, {
    description:
      'Holders of a denom ordered by balance. It changes with every block: beyond 1,000 holders, a later page can repeat or miss one. Null if the indexer keeps no rich list.',
    args: {
      denom: t.arg({
        type: 'Denom',
        required: true,
        description: 'Base denom. On the EVM, the ERC-20 address is fastest.',
      }),
    },
    list: ({ args }) => richList(args.denom),
    nodeOf: (record, { chain, args: { denom, order } }, position) => ({
      chain,
      chainId: chain.chainId,
      denom,
      rank: rankOf(position, order),
      order,
      ...record,
    }),
  }),
)
