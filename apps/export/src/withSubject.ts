import type { Client } from '@portolan/client'
import type { ExportIo } from './io.ts'
import { isAddressOf } from './isAddressOf.ts'
import { type FindAsset, findAsset } from './koinly/actionAssets.ts'
import { findOwners } from './koinly/findOwners.ts'
import { findReturned } from './koinly/findReturned.ts'
import { koinlySource } from './koinly/koinlyEdge.ts'
import { koinlyTable } from './koinly/koinlyTable.ts'
import type { ExportOptions } from './options.ts'
import type { Progress } from './progress.ts'
import { activitySource, activityTable } from './subjects/activity.ts'
import { blockSource, blockTable } from './subjects/blocks.ts'
import type { Source } from './subjects/subject.ts'
import { accountTransactions, chainTransactions, transactionTable } from './subjects/transactions.ts'
import { transferSource, transferTable } from './subjects/transfers.ts'
import type { Table } from './table.ts'

/** Calls back with a list and its table, whatever the type of its records is. */
export type WithSubject<Result> = <Edge>(source: Source<Edge>, table: Table<Edge>) => Result

/** The list and the table that options ask for. */
export async function withSubject<Result>(
  options: ExportOptions,
  client: Client,
  io: ExportIo,
  progress: Progress,
  use: WithSubject<Promise<Result>>,
): Promise<Result> {
  const { subject, format, address, chains } = options
  const span = { ...(options.since && { since: options.since }), ...(options.until && { until: options.until }) }
  const filter = { ...span, ...(chains.length > 0 && { chainIds: chains }) }
  const [chainId = ''] = chains
  if (subject === 'blocks') return use(blockSource(chainId, span), blockTable)
  if (subject === 'transactions') {
    return use(
      address === '' ? chainTransactions(chainId, span) : accountTransactions(address, filter),
      transactionTable,
    )
  }
  const account = await hexOf(address, client, io)
  if (subject === 'transfers') return use(transferSource(address, filter), transferTable(account))
  if (format !== 'koinly') return use(activitySource(address, filter), activityTable(account))
  const own = [account, ...(await Promise.all(options.own.map((each) => hexOf(each, client, io))))]
  const returned = await findReturned(address, account, filter, { client, io }, progress)
  const isOwn = (text: string) => own.some((each) => isAddressOf(text, each))
  const ownersOf = (symbols: readonly string[]) => findOwners(symbols, { client, io })
  const assetAt: FindAsset = (chainId, denom) => findAsset(chainId, denom, { client, io })
  const { includesUnlisted } = options
  const table = koinlyTable({ account, isOwn, returned, findOwners: ownersOf, findAsset: assetAt, includesUnlisted })
  return use(koinlySource(address, filter), table)
}

/** An address in hex, as the graph writes it. */
async function hexOf(address: string, client: Client, { signal }: ExportIo): Promise<string> {
  const data = await client.query<{ account: { hexAddress: string } }, { address: string }>(
    'query ExportAccount($address: Address!) { account(address: $address) { hexAddress } }',
    { address },
    { signal },
  )
  return data.account.hexAddress
}
