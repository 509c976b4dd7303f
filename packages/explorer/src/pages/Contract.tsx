import { type ContractOrigin, originOf } from '../app/contractOrigin.ts'
import { eventsOf, hasAmount } from '../app/contractWords.ts'
import { count } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { PageProps } from '../app/pageProps.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import {
  ContractDocument,
  ContractLogsDocument,
  ContractOriginDocument,
  ContractTransactionsDocument,
} from '../generated/graphql.ts'
import { Failed } from '../parts/Failed.tsx'
import { inUnits, Logged } from '../parts/Logged.tsx'
import { More } from '../parts/More.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Short } from '../parts/Short.tsx'
import { Spelled } from '../parts/Spelled.tsx'
import { Table } from '../parts/Table.tsx'
import { Transactions } from '../parts/tables.tsx'
import { Address, ChainName, Height, None, Time, TxHash } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'
import { Calls } from './Calls.tsx'
import { Missing } from './Lost.tsx'

/** A contract: what it is, what it logged, and who called it. */
export function Contract({ place }: PageProps) {
  const [chainId = '', address = ''] = place.parts
  const query = useQuery(ContractDocument, { chainId, address, denom: address })
  const { chain, asset } = query.data ?? {}
  const collection = chain?.nftCollection
  const account = chain?.account
  const isEvm = chain?.vm === 'EVM'
  const variables = { chainId, address, isEvm, denom: asset?.denom ?? '', isToken: asset != null }
  const more = useQuery(ContractOriginDocument, variables, { skip: !account }).data?.chain
  const origin = account && more?.account ? originOf(more.account, account.address) : undefined
  const holders = more?.richList?.totalCount
  return (
    <>
      <h1>
        {text.contract}
        {(asset?.symbol || collection?.name) && <Words>{` · ${asset?.symbol || collection?.name}`}</Words>}
      </h1>
      <Panel title={text.overview} of={query.operation}>
        <Failed error={query.errorAt('chain', 'nftCollection')} />
        <Loaded of={query}>
          {() =>
            chain && account ? (
              <Facts
                rows={[
                  [text.address, <Spelled of={account} key="address" />],
                  [text.chain, <ChainName chain={chain} key="chain" />],
                  [text.code, chain.vm && (text.codeKinds[chain.vm] ?? chain.vm)],
                  [text.creator, <Address value={origin?.creator} key="creator" />],
                  [text.firstTransaction, <FirstTransaction of={origin?.first} chainId={chainId} key="first" />],
                  [
                    text.token,
                    asset && (
                      <>
                        <a href={links.asset(chainId, asset.denom)}>
                          <Words>{asset.symbol || asset.name || asset.denom}</Words>
                        </a>
                        {!asset.isListed && ` · ${text.foldReasons.UNLISTED}`}
                      </>
                    ),
                  ],
                  [
                    text.holders,
                    asset && (
                      <a href={links.asset(chainId, asset.denom)}>{holders == null ? text.none : count(holders)}</a>
                    ),
                  ],
                  [
                    text.collection,
                    collection && (
                      <a href={links.collection(chainId, collection.address)}>
                        <Words>{collection.name || collection.address}</Words>
                      </a>
                    ),
                  ],
                  [text.nfts, collection?.nftCount != null && count(collection.nftCount)],
                  [
                    text.account,
                    <a href={links.account(account.address)} key="account">
                      {text.asAccount}
                    </a>,
                  ],
                ]}
              />
            ) : (
              <Missing what={text.contract} value={address} />
            )
          }
        </Loaded>
      </Panel>
      {chain && account && chain.vm === 'EVM' && (
        <>
          <Logs chainId={chainId} address={address} decimals={asset?.isListed ? asset.decimals : null} />
          <Calls chain={chain} address={address} />
        </>
      )}
      {chain && account && chain.vm !== 'EVM' && <CosmosContract chainId={chainId} address={address} />}
    </>
  )
}

/** The oldest transaction that is known of a contract. A dash keeps its place. */
const FirstTransaction = ({ of, chainId }: { of: ContractOrigin['first']; chainId: string }) =>
  of ? (
    <div class="values">
      <TxHash chainId={chainId} value={of.hash} />
      <Time value={of.timestamp} as="both" />
    </div>
  ) : (
    <None />
  )

interface ContractProps {
  readonly chainId: string
  readonly address: string
}

/** What a contract logged in the EVM. Amounts of a listed token are in whole units. */
function Logs({ chainId, address, decimals }: ContractProps & { decimals: number | null | undefined }) {
  const variables = { chainId, address }
  const query = useQuery(ContractLogsDocument, variables)
  const { rows, hasMore, load } = usePages(ContractLogsDocument, variables, {
    first: query.data,
    rowsOf: ({ chain }) =>
      chain?.account?.evmTransactions?.nodes.flatMap((tx) =>
        (tx?.logs ?? [])
          .filter(({ account }) => account.address === chain.account?.address)
          .map((log) => ({ ...log, hash: tx?.hash ?? '', height: tx?.height ?? 0 })),
      ) ?? [],
    infoOf: ({ chain }) => chain?.account?.evmTransactions?.pageInfo,
  })
  return (
    <Panel title={text.events} of={query.operation}>
      <Failed error={query.errorAt('chain', 'account', 'evmTransactions')} onRetry={query.reload} />
      <Loaded of={query}>
        {() =>
          rows.length === 0 ? (
            <p class="nothing">{text.nothing}</p>
          ) : (
            <Table caption={text.events} heads={[text.hash, text.event, { number: text.height }]} isStacked>
              {rows.map((log, index) => (
                <tr key={`${log.hash}${log.index ?? index}`}>
                  <td class="wide">
                    <TxHash chainId={chainId} value={log.hash} />
                  </td>
                  <td class="what">
                    <Logged
                      of={log}
                      amountOf={decimals != null && hasAmount(log.topics) ? inUnits(decimals) : undefined}
                    />
                  </td>
                  <td class="number">
                    <Height chainId={chainId} value={log.height} />
                  </td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      <More hasMore={hasMore} load={load} isAuto={false} />
    </Panel>
  )
}

/** The transactions that name a contract, and the events that it made in them. */
function CosmosContract({ chainId, address }: ContractProps) {
  const variables = { chainId, address }
  const query = useQuery(ContractTransactionsDocument, variables)
  const { rows, hasMore, load } = usePages(ContractTransactionsDocument, variables, {
    first: query.data,
    rowsOf: ({ chain }) => chain?.account?.transactions?.nodes ?? [],
    infoOf: ({ chain }) => chain?.account?.transactions?.pageInfo,
  })
  const { address: spelling = '', hexAddress, bech32Address } = query.data?.chain?.account ?? {}
  const spellings = [spelling, hexAddress ?? '', bech32Address ?? '']
  const events = rows.flatMap((row) => eventsOf(row.events, spellings).map((event) => ({ event, row })))
  return (
    <>
      <Panel title={text.events} of={query.operation}>
        <Failed error={query.errorAt('chain', 'account', 'transactions')} onRetry={query.reload} />
        <Loaded of={query}>
          {() =>
            events.length === 0 ? (
              <p class="nothing">{text.nothing}</p>
            ) : (
              <Table caption={text.events} heads={[text.hash, text.event, { number: text.height }]} isStacked>
                {events.map(({ event, row }, index) => (
                  <tr key={`${row.hash}${index}`}>
                    <td class="wide">
                      <TxHash chainId={chainId} value={row.hash} />
                    </td>
                    <td class="what">
                      <strong>
                        <Words>{event.type}</Words>
                      </strong>
                      <span class="values">
                        {event.attributes
                          ?.filter(({ key }) => !/^(_contract_address|msg_index)$/.test(key))
                          .map(({ key, value }, at) => (
                            <span key={at}>
                              <small>
                                <Words>{key}</Words>
                              </small>{' '}
                              <Short value={value} />
                            </span>
                          ))}
                      </span>
                    </td>
                    <td class="number">
                      <Height chainId={chainId} value={row.height} />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Loaded>
      </Panel>
      <Panel title={text.callsAndTransactions} of={query.operation}>
        {query.data && <Transactions rows={rows} />}
        <More hasMore={hasMore} load={load} isAuto={false} />
      </Panel>
    </>
  )
}
