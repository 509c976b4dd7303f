import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { defaultPageSize, pageArgs } from '../../../engine/graphql/pageArgs.ts'
import { readNode } from '../../../engine/graphql/resolveConnection.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
import type { Listed } from '../../../engine/wire/decode.ts'
import { Account } from '../../account/account.ts'
import type { ChainNodeShape } from '../chainNode.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { spanCost, timeFields } from '../time/timeFilter.ts'
import { transactionShape } from '../transaction/transaction.ts'
import type { TransactionRecord } from '../transaction/wire.ts'
import { type Activity, type ActivityEdge, isFiltered, readActivity } from './activityPage.ts'
import { multichainConnection } from './multichainConnection.ts'

const { connection: ActivityConnection, edge } = multichainConnection<
  Listed<TransactionRecord>,
  ChainNodeShape,
  Activity
>({
  name: 'AccountActivity',
  node: IndexedTransaction,
  records: 'the transactions of an account',
  one: 'transaction',
  nodeOf: ({ account, chain, merged: { item } }: ActivityEdge): ChainNodeShape =>
    readNode(chain.chainId, item, (record) => transactionShape(chain, record, account)),
})

/** The edge of a page of an account's activity. */
export const AccountActivityEdge = edge

builder.objectField(ActivityConnection, 'liveCursor', (t) =>
  t.nullable(
    'String',
    'Pass as `after` to the subscription `activity` to continue from this page. Null on later pages, with `order: ASC`, `signedOnly`, `since` or `until`, and if an indexer does not number transactions. Excludes `unavailableChains`.',
    ({ liveCursor }) => liveCursor?.(),
  ),
)

const ActivityFilter = builder.inputType('AccountActivityFilter', {
  description: 'Which transactions of an account to list. All conditions hold.',
  fields: (t) => ({
    chainIds: t.field({ type: ['ChainId'], description: 'Only on these chains. All by default.' }),
    messageTypes: t.stringList({
      description: 'Only with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`.',
    }),
    denoms: t.field({
      type: ['Denom'],
      description: 'Only with an event that names one of these assets. The balance of the account need not change.',
    }),
    signedOnly: t.boolean({ description: 'Only if the account signed first. Default: false.' }),
    isSuccessful: t.boolean({ description: 'Only successful or only failed transactions.' }),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})

/** How a list over several chains handles one that cannot be read. */
export const UnavailableMode = builder.enumType('UnavailableChainMode', {
  description: 'How a list handles an unavailable chain.',
  values: {
    PROVISIONAL: {
      description: 'Continues with the others, provisionally: the order can differ from time.',
    },
    HOLD_BACK: { description: 'Ends the page where a record of it could come.' },
  },
})

builder.objectField(Account, 'activity', (t) =>
  t.field({
    type: ActivityConnection,
    nullable: true,
    description:
      'Cosmos transactions that the account signed or that name it, on all chains, by time. Pages with `messageTypes`, `denoms` or `isSuccessful` can be short.',
    args: {
      filter: t.arg({ type: ActivityFilter, description: 'Which transactions to list.' }),
      whileUnavailable: t.arg({
        type: UnavailableMode,
        required: true,
        defaultValue: 'PROVISIONAL',
        description: 'How to handle an unavailable chain.',
      }),
      ...pageArgs(),
    },
    complexity: ({ first, last, filter }, { limits, network }) => ({
      field:
        (callCost + spanCost(filter) + (isFiltered(filter) ? scanPage / 10 : 0)) *
        (filter?.chainIds?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? defaultPageSize(limits)),
    }),
    resolve: (account, args, context, info) => readActivity(account, args, context, info),
  }),
)
