import { z } from 'zod'
import { builder, keepable } from '../../graphql/builder.ts'
import { pageArgs, pageCost } from '../../graphql/pageArgs.ts'
import type { Position } from '../../pagination/cursor.ts'
import type { ListOrder } from '../../pagination/listPage.ts'
import { integer, pageOf } from '../../upstream/decode.ts'
import { badInput } from '../../upstream/error.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { path } from '../../upstream/request.ts'
import { Account, account } from '../account/account.ts'
import { type AmountShape, AssetAmount } from '../amount/assetAmount.ts'
import { Chain } from '../chain/chain.ts'
import { minHeightArg, readAt, waitingCost } from './height.ts'
import { connectIndexed, indexedConnectionType } from './indexedList.ts'

// Upstream

const holder = z.object({ account: z.string(), amount: integer })

/** A page of holders. */
export const holdersPage = pageOf('holders', holder)

// Graph

interface HolderShape extends AmountShape {
  readonly chain: ServedChain
  readonly account: string
  readonly denom: string
  readonly amount: bigint
  readonly rank: number | null
}

const TokenHolder = builder.objectRef<HolderShape>('TokenHolder').implement({
  description: 'The balance of one holder of a denom.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'The holder.',
      resolve: (holder) => account(holder.chain, holder.account),
    }),
    denom: t.expose('denom', { type: 'Denom', description: 'The denom, as in the argument.' }),
    amount: t.field({
      type: 'BigInt',
      description: 'Balance in base units. Former holders remain in the list with 0.',
      resolve: ({ amount }) => amount,
    }),
    rank: t.expose('rank', {
      type: 'UInt53',
      nullable: true,
      description:
        'Place by balance: 1 for the largest. Holders of equal amounts have places of their own. Null if the list is long and was read from its other end.',
    }),
  }),
})

const TokenHolderConnection = indexedConnectionType(TokenHolder, 'holders of a denom')

/**
 * The key of the rich list of a denom. A denom that contains its EVM contract is looked up by the
 * contract. By denom, the indexer has to find the contract first, which can take most of a minute.
 */
export function richListKey(denom: string): string {
  if (!/^[\w:.+/-]{1,256}$/.test(denom)) {
    throw badInput('Invalid denom. Use 1 to 256 letters, digits and / : . _ + -.')
  }
  const contract = /^evm\/([0-9a-f]{40})$/i.exec(denom)?.[1]
  return contract ? `0x${contract.toLowerCase()}` : denom
}

/** The place of a holder, if its position counts from the largest. */
function rankOf(position: Position, order: ListOrder): number | null {
  const largest = order === 'DESC' ? 'start' : 'end'
  return position.kind === 'offset' && position.from === largest ? position.index + 1 : null
}

builder.objectField(Chain, 'richList', (t) =>
  t.field({
    ...keepable,
    type: TokenHolderConnection,
    nullable: true,
    description:
      'Holders of a denom ordered by balance. The list changes with every block, and holders of equal amounts come in no fixed order, so later pages can repeat or miss a holder. Null if the indexer keeps no rich list.',
    args: {
      denom: t.arg({
        type: 'Denom',
        required: true,
        description: 'Base denom. On EVM chains, the address of the ERC-20 contract is fastest.',
      }),
      ...minHeightArg(),
      ...pageArgs(),
    },
    complexity: waitingCost(pageCost),
    resolve: ({ served }, { denom, ...args }, context, info) =>
      readAt(context, served, args, (chain) =>
        connectIndexed(
          context,
          chain,
          {
            path: path`/indexer/richlist/v1/${richListKey(denom)}`,
            page: holdersPage,
            strategy: { kind: 'offset' },
            total: 'count',
          },
          args,
          (record, position) => ({
            ...record,
            chain,
            chainId: chain.chainId,
            denom,
            rank: rankOf(position, args.order),
          }),
          info,
        ),
      ),
  }),
)
