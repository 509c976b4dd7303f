import { builder, callCost, keepable } from '../../../graphql/builder.ts'
import { PageInfo } from '../../../graphql/connection.ts'
import { pageArgs } from '../../../graphql/pageArgs.ts'
import { readNode } from '../../../graphql/resolveConnection.ts'
import { scanPage } from '../../../pagination/source.ts'
import { MultichainAccount } from '../../account/multichainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { transactionShape } from '../transaction/transaction.ts'
import { type Activity, type ActivityEdge, isFiltered, readActivity } from './activityPage.ts'
import { minHeightsArg } from './multichainList.ts'
import { UnavailableChain } from './unavailable.ts'

const nodeOf = ({ chain, merged: { item } }: ActivityEdge) =>
  readNode(chain.chainId, item, (record) => transactionShape(chain, record))

const ActivityEdgeType = builder.objectRef<ActivityEdge>('AccountActivityEdge').implement({
  description: 'An edge of a page of the transactions of an account.',
  fields: (t) => ({
    cursor: t.string({
      ...keepable,
      description:
        'Opaque cursor of this edge, with the place on each chain. Pass as `after` to get the next page, or as `before` to get the previous one.',
      resolve: ({ cursor }) => cursor(),
    }),
    chain: t.field({
      type: Chain,
      description: 'The chain of the transaction.',
      resolve: ({ chain }) => chainShape(chain),
    }),
    node: t.field({
      type: IndexedTransaction,
      nullable: true,
      description: 'The transaction. Null, with an error, if it cannot be read.',
      resolve: nodeOf,
    }),
    isProvisional: t.boolean({
      description:
        'Whether transactions of an unavailable chain may belong before it. They come on a later page.',
      resolve: ({ merged }) => merged.isProvisional,
    }),
  }),
})

const ActivityConnection = builder.objectRef<Activity>('AccountActivityConnection').implement({
  description: 'A page of the transactions of an account on several chains.',
  fields: (t) => ({
    edges: t.field({
      type: [ActivityEdgeType],
      description: 'The transactions with their cursors and chains, in list order.',
      resolve: ({ edges }) => [...edges],
    }),
    nodes: t.field({
      type: [IndexedTransaction],
      nullable: { list: false, items: true },
      description:
        'The transactions without cursors, in list order. One that cannot be read is null, with an error.',
      resolve: ({ edges }) => edges.map(nodeOf),
    }),
    pageInfo: t.expose('pageInfo', { type: PageInfo, description: 'Information about this page.' }),
    unavailableChains: t.field({
      type: [UnavailableChain],
      description:
        'Chains whose transactions could not be read. The cursors keep their places, so nothing is lost: a later page has what is missing here.',
      resolve: ({ unavailable }) => [...unavailable],
    }),
  }),
})

const ActivityFilter = builder.inputType('AccountActivityFilter', {
  description: 'Which transactions of an account to list. All that is given must hold.',
  fields: (t) => ({
    chains: t.field({
      type: ['ChainId'],
      description: 'Chain IDs of `chains`. By default, all of them.',
    }),
    messageTypes: t.stringList({
      description:
        'Only transactions with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`.',
    }),
    signedOnly: t.boolean({
      description: 'Only transactions of which the account is the first signer. Default: false.',
    }),
    isSuccessful: t.boolean({
      description: 'Only transactions that succeeded, or only those that failed.',
    }),
  }),
})

const UnavailableMode = builder.enumType('UnavailableChainMode', {
  description: 'What a list over several chains does while a chain cannot be read.',
  values: {
    PROVISIONAL: {
      description:
        'Continues with the other chains. Their records are marked as provisional, and the order can differ from that of time.',
    },
    HOLD_BACK: {
      description:
        'Ends the page where a record of the missing chain could come. The order is kept.',
    },
  },
})

builder.objectField(MultichainAccount, 'activity', (t) =>
  t.field({
    ...keepable,
    type: ActivityConnection,
    nullable: true,
    description:
      'Cosmos transactions that the account signed or that its address appears in, on all chains in one list by time. Reads one page of each chain. With `messageTypes` or `isSuccessful` the gateway filters, so a page can have fewer records than requested and still have a next page.',
    args: {
      filter: t.arg({ type: ActivityFilter, description: 'Which transactions to list.' }),
      whileUnavailable: t.arg({
        type: UnavailableMode,
        required: true,
        defaultValue: 'PROVISIONAL',
        description: 'What to do while a chain cannot be read.',
      }),
      ...minHeightsArg(),
      ...pageArgs(),
    },
    complexity: ({ first, last, filter, minHeights }, { limits, network }) => ({
      field:
        callCost * (minHeights?.length ?? 0) +
        (callCost + (isFiltered(filter) ? scanPage / 10 : 0)) *
          (filter?.chains?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? limits.defaultPageSize),
    }),
    resolve: (account, args, context) => readActivity(account, args, context),
  }),
)
