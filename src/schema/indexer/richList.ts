import { z } from 'zod'
import { builder } from '../../graphql/builder.ts'
import { connectionType } from '../../graphql/connection.ts'
import { pageArgs, pageCost } from '../../graphql/pageArgs.ts'
import { resolveConnection } from '../../graphql/resolveConnection.ts'
import { integer, pageOf } from '../../upstream/decode.ts'
import { badInput } from '../../upstream/error.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { path } from '../../upstream/request.ts'
import { Account, account } from './account.ts'
import { Chain } from './chain.ts'

// Upstream

const holder = z.object({ account: z.string(), amount: integer })

const holdersPage = pageOf('holders', holder)

// Graph

interface HolderShape {
  readonly chain: ServedChain
  readonly denom: string
  readonly record: z.output<typeof holder>
}

const TokenHolder = builder.objectRef<HolderShape>('TokenHolder').implement({
  description: 'How much of a denom one account holds.',
  fields: (t) => ({
    account: t.field({
      type: Account,
      description: 'Who holds it.',
      resolve: ({ chain, record }) => account(chain, record.account),
    }),
    denom: t.exposeString('denom', { description: 'The denom, as it was asked for.' }),
    amount: t.field({
      type: 'BigInt',
      description:
        'The amount in base units. Accounts that held some once stay in the list with 0.',
      resolve: ({ record }) => record.amount,
    }),
  }),
})

const TokenHolderConnection = connectionType(TokenHolder, 'holders of a denom')

/**
 * The denom as rich lists are keyed. On the EVM a denom that names its contract is asked for by the
 * contract: by name the indexer has to look the contract up first, which can take most of a minute.
 */
function richListKey(denom: string): string {
  if (!/^[\w:.+/-]{1,256}$/.test(denom)) {
    throw badInput('A denom is made of letters, digits and / : . _ + -.')
  }
  const contract = /^evm\/([0-9a-f]{40})$/i.exec(denom)?.[1]
  return contract ? `0x${contract.toLowerCase()}` : denom
}

builder.objectField(Chain, 'richList', (t) =>
  t.field({
    type: TokenHolderConnection,
    nullable: true,
    description:
      'Accounts by how much of a denom they hold, the largest first. It moves with every block, so pages read later may repeat or miss one; null when the indexer keeps none.',
    args: {
      ...pageArgs(),
      denom: t.arg.string({
        required: true,
        description: 'Base denom; on EVM chains best the address of the ERC-20 contract.',
      }),
    },
    complexity: pageCost,
    resolve: ({ served }, { denom, ...args }, context) =>
      resolveConnection(
        context,
        served.indexer,
        {
          path: path`/indexer/richlist/v1/${richListKey(denom)}`,
          page: holdersPage,
          strategy: { kind: 'offset' },
          total: 'count',
        },
        args,
        (record) => ({ chain: served, denom, record }),
      ),
  }),
)
