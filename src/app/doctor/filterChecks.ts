import { z } from 'zod'
import { get, type Path } from '../../engine/upstream/request.ts'
import { jsonObject } from '../../engine/wire/lenient.ts'
import { filterOfSome } from '../../schema/indexer/transaction/filter.ts'
import {
  blockTransactionsPath,
  type TransactionRecord,
  transactionsPage,
  transactionsPath,
} from '../../schema/indexer/transaction/wire.ts'
import type { Examination } from './probe.ts'

/** Transactions that are read with a filter. */
const sampleSize = 20

/**
 * Examines whether an indexer filters transactions by message type, on lists of the chain and of a block. Nothing is found where
 * its newest transactions are all of one type.
 */
export async function checkFilters(
  { probe, findings }: Examination,
  newest: readonly TransactionRecord[],
): Promise<void> {
  const filter = filterOfSome(newest)
  const matching = newest.find((tx) => filter?.isMatch(tx))
  if (!filter || !matching) return
  const ask = async (path: Path | string): Promise<string | undefined> => {
    const query = { ...filter.query, 'pagination.limit': sampleSize, 'pagination.count_total': false }
    const page = await probe.ask(get(path, transactionsPage, { query }))
    if (page.kind !== 'value') return page.kind === 'failed' ? page.reason : 'there is no such list'
    return page.value.items.every(filter.isMatch) ? undefined : 'it ignores msgs'
  }
  const faults = [
    ['the chain', await ask(transactionsPath)],
    ['a block', await ask(blockTransactionsPath(matching.height))],
  ].flatMap(([list, fault]) => (fault === undefined ? [] : [`those of ${list} (${fault})`]))
  if (faults.length === 0) {
    findings.works('filter', 'Transactions are filtered by message type.')
    return
  }
  const text = `The indexer does not filter ${faults.join(' and ')} by message type: the gateway does, and pages can be short.`
  findings.limited('filter', text)
}

const description = z.object({ paths: z.record(z.string(), jsonObject) })

/** The lists that a description should have, as the contract names them. */
const described = [
  transactionsPath,
  `${transactionsPath}/by_account/{account}`,
  `${transactionsPath}/by_height/{height}`,
  '/indexer/block/v1/blocks',
  '/indexer/nft/v1/collections',
]

/** Examines the description that an indexer serves of itself. It is a hint for people: what its answers show decides. */
export async function checkDescription({ probe, findings }: Examination): Promise<void> {
  const found = await probe.ask(get('/swagger/doc.json', description))
  if (found.kind !== 'value') {
    findings.limited('description', 'It serves no description of itself at /swagger/doc.json. The gateway needs none.')
    return
  }
  const paths = Object.keys(found.value.paths)
  const lacking = described.filter((path) => !paths.some((each) => sameShape(each, path)))
  if (lacking.length === 0) findings.works('description', `Its description has ${paths.length} paths.`)
  else findings.limited('description', `Its description does not have ${lacking.join(', ')}.`)
}

/** Whether two templates of paths differ in the names of their parameters at most. */
const sameShape = (one: string, other: string): boolean =>
  one.replace(/\{[^}]*\}/g, '*').endsWith(other.replace(/\{[^}]*\}/g, '*'))
