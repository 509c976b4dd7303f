import type { z } from 'zod'
import { countIn } from '../../engine/pagination/keyForms.ts'
import { decodeKey } from '../../engine/pagination/keys.ts'
import type { KeysetField } from '../../engine/pagination/source.ts'
import { get, type Path, type UpstreamRequest } from '../../engine/upstream/request.ts'
import { type Listed, type Page, readable, UnreadableRecord } from '../../engine/wire/decode.ts'
import type { Findings } from './finding.ts'
import { type Examination, examine } from './probe.ts'

/** A list of an indexer to examine. */
export interface ExaminedList<T> {
  /** Its records, such as `blocks`. */
  readonly name: string
  readonly path: Path | string
  readonly page: z.ZodType<Page<Listed<T>>>
  /** The number that its page keys should hold. */
  readonly field: KeysetField
  readonly idOf: (record: T) => string
  /** A number that never falls along the list in ascending order. */
  readonly orderOf: (record: T) => bigint
}

const pageSize = 5

/** A page, and what the gateway cannot read of it. */
export interface ExaminedPage<T> extends Page<T> {
  readonly unreadable: readonly UnreadableRecord[]
  /** How many records the indexer sent. */
  readonly size: number
}

/** A request for a page of a list, as the gateway sends it. */
export function pageRequest<T>(
  list: Pick<ExaminedList<T>, 'path' | 'page'>,
  query: {
    limit: number
    isReverse?: boolean
    key?: string
    count?: boolean
    tokenId?: string
  },
): UpstreamRequest<ExaminedPage<T>> {
  const { limit, isReverse = true, key, count = false, tokenId } = query
  const request = get(list.path, list.page, {
    query: {
      'pagination.limit': limit,
      'pagination.reverse': isReverse,
      'pagination.count_total': count,
      'pagination.key': key,
      token_id: tokenId,
    },
  })
  return { ...request, read: (...body) => examined(request.read(...body), count), isFinal: false }
}

/** The page, if one of its records can be read. To be counted, none has to. */
function examined<T>(page: Page<Listed<T>>, isCount: boolean): ExaminedPage<T> {
  const items = readable(page.items)
  const unreadable = page.items.filter((item) => item instanceof UnreadableRecord)
  const [odd] = unreadable
  if (odd && items.length === 0 && !isCount) throw odd
  return { ...page, items, unreadable, size: page.items.length }
}

/** Reports the records that the gateway cannot read. */
export function noteUnreadable(findings: Findings, name: string, { unreadable, size }: ExaminedPage<unknown>): void {
  const [odd] = unreadable
  if (!odd) return
  const text = `${unreadable.length} of ${size} ${name} cannot be read, and are null in their lists: ${odd.message}.`
  findings.limited('record', text)
}

/** The question whether a list is served. `absent` is the level of the finding if it is not. */
export const shapeQuestion = (name: string, absent: 'limited' | 'fails') =>
  ({
    subject: 'shape',
    works: `The list of ${name} has the expected shape.`,
    absent: [absent, `The list of ${name} is not served (404). Its fields are null.`],
    fails: `The list of ${name} cannot be read`,
  }) as const

/** Examines the keys and the order of a list. Resolves to its first records, newest first. */
export async function checkList<T>(of: Examination, list: ExaminedList<T>): Promise<readonly T[]> {
  const { name } = list
  const { findings } = of
  const first = await examine(of, pageRequest(list, { limit: pageSize }), shapeQuestion(name, 'fails'))
  if (!first) return []
  const { items, nextKey, size } = first
  if (size < pageSize) return items
  if (!isOrdered(list, items, 'descending')) {
    findings.fails('order', `The list of ${name} is not in descending order.`)
  }
  await checkOrder(of, list, items)
  if (nextKey === null) {
    const shown = `A page of ${size} ${name} has no next_key`
    findings.fails('paging', `${shown}, so the list ends there for the gateway.`)
    return items
  }
  await checkKeys(of, list, items, nextKey)
  return items
}

async function checkOrder<T>(
  { probe, findings }: Examination,
  list: ExaminedList<T>,
  newest: readonly T[],
): Promise<void> {
  const ascending = await probe.ask(pageRequest(list, { limit: pageSize, isReverse: false }))
  if (ascending.kind !== 'value') {
    findings.fails('order', `The list of ${list.name} cannot be read in ascending order.`)
    return
  }
  const oldest = ascending.value.items
  const isSame = sameRecords(list, oldest, newest)
  if (isSame || !isOrdered(list, oldest, 'ascending')) {
    const text = `The list of ${list.name} ignores pagination.reverse: ascending pages are wrong.`
    findings.fails('order', text)
  } else findings.works('order', `The list of ${list.name} is served in both orders.`)
}

async function checkKeys<T>(
  of: Examination,
  list: ExaminedList<T>,
  items: readonly T[],
  nextKey: string,
): Promise<void> {
  const { name, field } = list
  const { findings } = of
  const fails = `The page after the first of ${name} cannot be read`
  const next = await examine(of, pageRequest(list, { limit: pageSize, key: nextKey }), { subject: 'paging', fails })
  if (!next) return
  const ids = new Set(items.map(list.idOf))
  if (next.items.some((record) => ids.has(list.idOf(record)))) {
    const text = `The next_key of ${name} leads to the same records again: lists cannot be paged.`
    findings.fails('paging', text)
    return
  }
  if (decodeKey(field, nextKey) !== undefined) {
    findings.works('paging', `Pages of ${name} are bounded by ${field}: they stay exact.`)
  } else if (countIn(nextKey) === items.length) {
    const text = `Pages of ${name} are counted: a record can repeat or be missed while new ones arrive.`
    findings.limited('paging', text)
  } else {
    const text = `The page keys of ${name} cannot be read by the gateway. It reads forwards exactly, and backwards only through pages already read.`
    findings.limited('paging', text)
  }
}

function sameRecords<T>({ idOf }: ExaminedList<T>, a: readonly T[], b: readonly T[]): boolean {
  return a.map(idOf).join() === b.map(idOf).join()
}

function isOrdered<T>(
  { orderOf }: ExaminedList<T>,
  items: readonly T[],
  direction: 'ascending' | 'descending',
): boolean {
  const orders = items.map(orderOf)
  const ascending = direction === 'ascending' ? orders : orders.toReversed()
  return ascending.every((order, index) => index === 0 || order >= (ascending[index - 1] ?? order))
}

/** Examines whether a list is counted when the gateway asks for its total. */
export async function checkTotal<T>({ probe, findings }: Examination, list: ExaminedList<T>): Promise<void> {
  const page = await probe.ask(pageRequest(list, { limit: 1, count: true }))
  if (page.kind !== 'value') {
    findings.fails('total', `The ${list.name} cannot be counted.`)
    return
  }
  const { total, size } = page.value
  const number = typeof total === 'bigint' ? total : null
  if (number === null || number < BigInt(size)) {
    const said = number === null ? 'no total' : `the total ${number}`
    findings.limited('total', `The ${list.name} have ${said}: \`totalCount\` is null or wrong.`)
  } else findings.works('total', `The ${list.name} are counted.`)
}
