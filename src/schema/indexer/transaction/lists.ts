import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { PageArgs } from '../../../engine/graphql/pageArgs.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import { listOf, type RecordList, timedTransactions } from '../time/timeRange.ts'
import { Transaction, transactionShape } from './transaction.ts'
import type { TransactionRecord } from './wire.ts'

/** The type of all lists of Cosmos transactions. */
export const TransactionConnection = indexedConnectionType(Transaction, 'Cosmos transactions')

/** A page of Cosmos transactions. `listedFor` is the address of the account that the list is of. */
export const connectTransactions = (
  context: Context,
  chain: ServedChain,
  list: RecordList<TransactionRecord>,
  args: PageArgs,
  info: GraphQLResolveInfo,
  listedFor?: string,
) =>
  connectIndexed(
    context,
    chain,
    listOf(context, chain, timedTransactions, list),
    args,
    (tx) => transactionShape(chain, tx, listedFor),
    info,
  )
