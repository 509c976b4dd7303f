import { path } from '../../engine/upstream/request.ts'
import { holdersPage, richListKey } from '../../schema/indexer/richList.ts'
import { noteUnreadable, pageRequest } from './listChecks.ts'
import type { Examination } from './probe.ts'

const sample = 100

/** Examines the rich list of a denom, and whether holders of equal amounts keep their order. */
export async function checkRichList({ probe, findings }: Examination, denom: string, isKnown: boolean): Promise<void> {
  const list = { path: path`/indexer/richlist/v1/${richListKey(denom)}`, page: holdersPage }
  const holders = await probe.ask(pageRequest(list, { limit: sample }))
  if (holders.kind === 'absent') {
    findings.limited('rich-list', 'There is no rich list (404): `richList` is null.')
    return
  }
  if (holders.kind === 'failed') {
    const text = `The holders of ${denom} cannot be read: ${holders.reason}.`
    if (isKnown || holders.status !== 400) findings.fails('rich-list', text)
    else findings.limited('rich-list', `${text} CHAIN_REGISTRY can name the coin of the fees.`)
    return
  }
  noteUnreadable(findings, 'holders', holders.value)
  findings.works('rich-list', `Holders of ${denom} are served.`)
  const { items } = holders.value
  if (!hasTies(items)) return
  // A page of another size is another query for the database of an indexer.
  const again = await probe.ask(pageRequest(list, { limit: Math.max(1, sample - 10) }))
  if (again.kind !== 'value') return
  const accounts = again.value.items.map(({ account }) => account)
  if (items.slice(0, accounts.length).every(({ account }, index) => account === accounts[index])) {
    findings.works('ties', 'Holders of equal amounts keep their order.')
  } else {
    const text =
      'Holders of equal amounts come in another order on each page: in lists of more than 1,000 holders, a page can repeat or miss one.'
    findings.limited('ties', text)
  }
}

const hasTies = (holders: readonly { readonly amount: bigint }[]): boolean =>
  holders.some(({ amount }, index) => amount === holders[index + 1]?.amount)
