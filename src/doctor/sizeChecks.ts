import { advise } from './advice.ts'
import type { Findings } from './finding.ts'
import { type ExaminedList, type ExaminedPage, noteUnreadable, pageRequest } from './listChecks.ts'
import type { Probe, ProbeResult } from './probe.ts'

/**
 * Examines the largest page that the gateway asks for: its largest page size, and one record more. Resolves to
 * its records.
 */
export async function checkPageSize<T>(
  probe: Probe,
  findings: Findings,
  list: ExaminedList<T>,
  maxPageSize: number,
): Promise<readonly T[]> {
  const limit = maxPageSize + 1
  const request = pageRequest(list, { limit })
  const large = await probe.ask(request)
  const joined = 'The gateway joins several requests for a larger page.'
  const limited = (
    text: string,
    set: string,
    isSame: (page: ProbeResult<ExaminedPage<T>>) => boolean,
  ) =>
    advise(findings, { level: 'limited', subject: 'page-size', text, set }, async () =>
      isSame(await probe.askAgain(request)),
    )
  if (large.kind === 'failed' && isRefused(large)) {
    const text = `Pages of ${limit} ${list.name} are refused: ${large.reason}. ${joined}`
    await limited(text, 'MAX_PAGE_SIZE=<the largest limit>', isRefused)
    return []
  }
  if (large.kind !== 'value') {
    const reason = large.kind === 'failed' ? large.reason : 'it responded with 404'
    findings.fails('page-size', `A page of ${limit} ${list.name} cannot be read: ${reason}.`)
    return []
  }
  noteUnreadable(findings, list.name, large.value)
  const { items, size, nextKey } = large.value
  if (size >= limit) {
    findings.works('page-size', `Pages of ${limit} ${list.name} are served whole.`)
    return items
  }
  const more = nextKey
    ? await probe.ask(pageRequest(list, { limit: 1, key: nextKey }))
    : { kind: 'absent' as const }
  if (more.kind === 'value' && more.value.size > 0) {
    const text = `Pages of ${list.name} are cut at ${size} records. ${joined}`
    await limited(
      text,
      `MAX_PAGE_SIZE=${Math.max(1, size - 1)}`,
      (page) => page.kind === 'value' && page.value.size === size,
    )
  } else findings.works('page-size', `The list of ${list.name} fits in one page.`)
  return items
}

/** Whether a page was too large for the service. */
const isRefused = (page: ProbeResult<unknown>): boolean =>
  page.kind === 'failed' && page.status === 400

/** Examines whether a list is counted when the gateway asks for its total. */
export async function checkTotal<T>(
  probe: Probe,
  findings: Findings,
  list: ExaminedList<T>,
): Promise<void> {
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
