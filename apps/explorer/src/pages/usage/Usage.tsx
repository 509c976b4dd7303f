import { usePages, useQuery } from '@portolan/client/react'
import { useEffect, useState } from 'preact/hooks'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { UsageDocument } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName, Height } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { count } from '../../values/format.ts'
import { type Span, type UsageRow, usageOf } from '../../values/usage.ts'

/** How many pages of 100 transactions a press of the button reads. */
const pagesAtOnce = 10

/** How a chain was used, by hour or by day. The graph has no such list: the newest transactions are read and counted. */
export function Usage({ place }: PageProps) {
  const [chainId = ''] = place.parts
  const span: Span = place.query.get('by') === 'day' ? 'day' : 'hour'
  const query = useQuery(UsageDocument, { chainId })
  const chain = query.data?.chain
  const { rows, pages, hasMore, loadMore } = usePages(query, {
    rowsOf: (page) => page.chain?.transactions?.nodes ?? [],
    pageInfoOf: (page) => page.chain?.transactions?.pageInfo,
  })
  const all = pages.flatMap((page) => page.chain?.transactions?.nodes ?? [])
  const [wanted, setWanted] = useState(1)
  const [error, setError] = useState<Error>()
  const isReading = hasMore && !error && pages.length > 0 && pages.length < wanted
  useEffect(() => {
    if (isReading) loadMore().catch(setError)
  }, [pages.length, isReading])
  const readMore = () => {
    setError(undefined)
    setWanted(pages.length + pagesAtOnce)
  }
  return (
    <>
      <h1>
        {text.usage} · {chain ? <ChainName chain={chain} /> : <ChainText>{chainId}</ChainText>}
      </h1>
      <nav class="pager" aria-label={text.usageSpan}>
        <a href={links.usage(chainId)} aria-current={span === 'hour' ? 'page' : undefined}>
          {text.byHour}
        </a>
        <a href={`${links.usage(chainId)}?by=day`} aria-current={span === 'day' ? 'page' : undefined}>
          {text.byDay}
        </a>
      </nav>
      <Panel title={text.usageTitle} of={query}>
        <FaultNote error={query.errorAt('chain', 'transactions')} onRetry={query.refetch} />
        <Loaded of={query}>
          {() => {
            const [newest, oldest] = [rows[0], rows.at(-1)]
            if (!chain) return <MissingRecord what={text.chain} value={chainId} />
            if (!newest || !oldest) return <p class="nothing">{text.nothing}</p>
            return (
              <>
                <p class="note">
                  {text.countedTransactions(count(rows.length), count(oldest.height), count(newest.height))}{' '}
                  {text.usageHint}
                </p>
                <UsageTable chainId={chainId} rows={usageOf(all, span, !hasMore)} span={span} />
              </>
            )
          }}
        </Loaded>
        <FaultNote error={error} onRetry={readMore} />
        {hasMore && (
          <button type="button" class="load-more" onClick={readMore} disabled={isReading}>
            {isReading ? `${text.loading}…` : text.readMore(count(pagesAtOnce * 100))}
          </button>
        )}
      </Panel>
    </>
  )
}

/** An hour or a day of UTC as a reader says it. */
const nameOf = ({ start }: UsageRow, span: Span): string =>
  span === 'hour' ? `${start.slice(0, 10)} ${start.slice(11, 16)}` : start.slice(0, 10)

const UsageTable = ({ chainId, rows, span }: { chainId: string; rows: readonly UsageRow[]; span: Span }) => (
  <Table
    caption={text.usageTitle}
    heads={[
      span === 'hour' ? text.hour : text.day,
      { number: text.transactions },
      { number: text.failed },
      { number: text.activeAddresses },
    ]}
  >
    {rows.map((row) => (
      <tr key={row.start}>
        <td>
          {nameOf(row, span)}
          <small class="second">
            <Height chainId={chainId} value={row.firstHeight} />–<Height chainId={chainId} value={row.lastHeight} />
          </small>
          {!row.isWhole && <small class="second">{text.notWhole}</small>}
        </td>
        <td class="number">{count(row.transactions)}</td>
        <td class="number">{count(row.failed)}</td>
        <td class="number">{count(row.signers)}</td>
      </tr>
    ))}
  </Table>
)
