import { usePages, useQuery } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { RecentCallsDocument, type RecentCallsQuery } from '../../generated/graphql.ts'
import { ChainText } from '../../parts/ChainText.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Loaded, Panel } from '../../parts/Panel.tsx'
import { ChainName } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { text } from '../../text.ts'
import { count } from '../../values/format.ts'
import { type ContractTally, tallyContracts } from '../../values/tallies.ts'

/** The contracts that the newest transactions of a chain called or created. The graph has no list of contracts: calls are counted. */
export function Contracts({ place }: PageProps) {
  const [chainId = ''] = place.parts
  const variables = { chainId }
  const query = useQuery(RecentCallsDocument, variables)
  const chain = query.data?.chain
  // The list of assets rejects a chain that nobody knows.
  const isUnknown = chain === null && query.errorAt('chain') === undefined
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: (page) => page.chain?.transactions?.nodes ?? [],
    pageInfoOf: (page) => page.chain?.transactions?.pageInfo,
  })
  const tallies = tallyContracts(rows)
  return (
    <>
      <h1>
        {text.contracts} · {chain ? <ChainName chain={chain} /> : <ChainText>{chainId}</ChainText>}
      </h1>
      <Panel title={text.contractsSeen} of={query}>
        <FaultNote error={query.errorAt('chain', 'transactions')} onRetry={query.refetch} />
        {isUnknown ? (
          <MissingRecord what={text.chain} value={chainId} />
        ) : (
          <Loaded of={query}>
            {(data) => {
              const [newest, oldest] = [rows[0], rows.at(-1)]
              if (!newest || !oldest) return <p class="nothing">{text.nothing}</p>
              return (
                <>
                  <p class="note">
                    {text.countedTransactions(count(rows.length), count(oldest.height), count(newest.height))}{' '}
                    {text.contractsHint}
                  </p>
                  {tallies.length === 0 ? (
                    <p class="nothing">{text.nothing}</p>
                  ) : (
                    <ContractTable rows={tallies} chainId={chainId} names={namesIn(data)} />
                  )}
                </>
              )
            }}
          </Loaded>
        )}
        <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
      </Panel>
    </>
  )
}

/** The names of tokens and collections, by the addresses of their contracts in small letters. */
const namesIn = ({ chain, assets }: RecentCallsQuery): ReadonlyMap<string, string> =>
  new Map(
    [
      ...(assets?.nodes.map((asset) => [asset?.tokenContract, asset?.symbol]) ?? []),
      ...(chain?.nftCollections?.nodes.map((collection) => [collection?.address, collection?.name]) ?? []),
    ].flatMap(([address, name]) => (address && name ? [[address.toLowerCase(), name] as const] : [])),
  )

/** Functions of a contract before the rest is a number. */
const firstFunctions = 3

const ContractTable = ({
  rows,
  chainId,
  names,
}: {
  rows: readonly ContractTally[]
  chainId: string
  names: ReadonlyMap<string, string>
}) => (
  <Table
    caption={text.contractsSeen}
    heads={[text.contract, text.functions, { number: text.callCount }, text.newestCall]}
  >
    {rows.map(({ address, module, functions, calls, isCreated, newest }) => {
      const name = module ?? names.get(address.toLowerCase())
      return (
        <tr key={module ?? address}>
          <td class="wide">
            <a href={links.contract(chainId, address)}>
              {name ? <ChainText>{name}</ChainText> : <MiddleEllipsis value={address} />}
            </a>
            {name && (
              <small class="second">
                <MiddleEllipsis value={address} />
              </small>
            )}
          </td>
          <td class="part" title={functions.join('\n')}>
            {isCreated && <span class="tag">{text.created}</span>}
            {functions.length === 0 && !isCreated && <NoValue />}
            {functions.slice(0, firstFunctions).map((called, index, { length }) => (
              <span class="called" key={called}>
                <ChainText>{called}</ChainText>
                {index < length - 1 && ', '}
              </span>
            ))}
            {functions.length > firstFunctions && <small> {text.moreActions(functions.length - firstFunctions)}</small>}
          </td>
          <td class="number">{count(calls)}</td>
          <td>
            <a href={links.transaction(chainId, newest.hash)}>
              <Time value={newest.timestamp} />
            </a>
          </td>
        </tr>
      )
    })}
  </Table>
)
