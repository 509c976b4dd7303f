import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { defaultPageSize, pageArgs } from '../../../engine/graphql/pageArgs.ts'
import { readNode } from '../../../engine/graphql/resolveConnection.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { Account } from '../../account/account.ts'
import { UnavailableMode } from '../../indexer/accounts/activity.ts'
import { multichainConnection } from '../../indexer/accounts/multichainConnection.ts'
import { spanCost, timeFields } from '../../indexer/time/timeFilter.ts'
import type { BridgeTransferShape } from '../joined/bridgeTransferShape.ts'
import { recordedTransfer } from '../joined/recordedTransfer.ts'
import { type ListedTransfer, readTransfers } from './accountTransfersPage.ts'
import { BridgeTransfer } from './bridgeTransfer.ts'

const { connection: BridgeTransferConnection } = multichainConnection<ListedTransfer, BridgeTransferShape>({
  name: 'AccountBridgeTransfer',
  node: BridgeTransfer,
  records: 'the bridge transfers of an account',
  one: 'transaction that lists it',
  nodeOf: ({ chain, merged: { item } }, context) =>
    readNode(chain.chainId, item.record, () => {
      const { step } = item
      // GraphQL takes an error in place of a node for the error of that node.
      if (step instanceof GatewayError) return step as unknown as BridgeTransferShape
      // The list leaves out transactions without one.
      if (step === null) throw new Error('a transaction without a bridge transfer was listed')
      return recordedTransfer(context, chain, step)
    }),
})

const BridgeTransferFilter = builder.inputType('BridgeTransferFilter', {
  description: 'Which bridge transfers of an account to list. All conditions hold.',
  fields: (t) => ({
    chainIds: t.field({
      type: ['ChainId'],
      description: 'Only if a transaction on one of these chains lists it. All by default.',
    }),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})

builder.objectField(Account, 'bridgeTransfers', (t) =>
  t.field({
    type: BridgeTransferConnection,
    nullable: true,
    description:
      'Movements of coins from and to the account between two chains, by time: each once, by its departure if that chain has an indexer, else by its arrival. Pages can be short.',
    args: {
      filter: t.arg({ type: BridgeTransferFilter, description: 'Which bridge transfers to list.' }),
      whileUnavailable: t.arg({
        type: UnavailableMode,
        required: true,
        defaultValue: 'PROVISIONAL',
        description: 'How to handle an unavailable chain.',
      }),
      ...pageArgs(),
    },
    complexity: ({ first, last, filter }, { limits, network }) => ({
      field: (callCost + spanCost(filter) + scanPage / 10) * (filter?.chainIds?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? defaultPageSize(limits)),
    }),
    resolve: (account, args, context, info) => readTransfers(account, args, context, info),
  }),
)
