import type { Context } from '../../../engine/graphql/builder.ts'
import type { ListSource } from '../../../engine/pagination/source.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { indexedAddress } from '../../account/address.ts'
import type { Span } from '../time/timeFilter.ts'
import { inSpan, timedTransactions } from '../time/timeRange.ts'
import { accountTransactionsPath, type TransactionRecord } from '../transaction/wire.ts'

/** The transactions of a chain that an account signed or that name it, on request those in a span or with its signature. */
export async function accountTransactions(
  context: Context,
  chain: ServedChain,
  account: string,
  { signedOnly = false, span }: { readonly signedOnly?: boolean; readonly span?: Span | undefined },
): Promise<ListSource<Listed<TransactionRecord>>> {
  const list = {
    ...timedTransactions.all.source,
    path: accountTransactionsPath(await indexedAddress(context, chain, account)),
    query: signedOnly ? { is_signer: true } : undefined,
    total: 'none',
  } as const
  return span ? inSpan(context, chain, timedTransactions, list, span) : list
}

/** Compares two transactions by time. Undefined where one cannot be read. */
export const compareTimes = (a: Listed<TransactionRecord>, b: Listed<TransactionRecord>): number | undefined => {
  if (a instanceof UnreadableRecord || b instanceof UnreadableRecord) return undefined
  const [left, right] = [timeOf(a), timeOf(b)]
  return left < right ? -1 : Number(left > right)
}

/** The time as text that sorts as the times do. Times on the wire are in UTC, with any number of decimals. */
const timeOf = ({ timestamp }: TransactionRecord): string =>
  timestamp.slice(0, 19) + timestamp.slice(20, -1).padEnd(9, '0')
