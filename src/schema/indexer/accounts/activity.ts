import { builder, callCost, keepable } from '../../../graphql/builder.ts'
import { pageArgs } from '../../../graphql/pageArgs.ts'
import { readNode } from '../../../graphql/resolveConnection.ts'
import { scanPage } from '../../../pagination/source.ts'
import type { Listed } from '../../../upstream/decode.ts'
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
  t.string({
    nullable: true,
    description:
      'Pass as `after` of the subscription `activity`, which then begins right after this page. Null on later pages, with `order: ASC`, `signedOnly`, `since` or `until`, and where an indexer does not number transactions. `unavailableChains` have no place in it.',
    resolve: ({ liveCursor }) => liveCursor?.(),
  }),
)

const ActivityFilter = builder.inputType('AccountActivityFilter', {
  description: 'Which transactions of an account to list. All that is given must hold.',
  fields: (t) => ({
    chainIds: t.field({
      type: ['ChainId'],
      description: 'Only on these chains, of `Query.chains`. On all by default.',
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
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
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

builder.objectField(Account, 'activity', (t) =>
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
      ...pageArgs(),
    },
    complexity: ({ first, last, filter }, { limits, network }) => ({
      field:
        (callCost + spanCost(filter) + (isFiltered(filter) ? scanPage / 10 : 0)) *
        (filter?.chainIds?.length ?? network.chains.size),
      multiplier: Math.max(1, first ?? last ?? limits.defaultPageSize),
    }),
    resolve: (account, args, context, info) => readActivity(account, args, context, info),
  }),
)
