import { usePages, useQuery } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import {
  ContractDocument,
  ContractLogsDocument,
  ContractOriginDocument,
  ContractTransactionsDocument,
} from '../../generated/graphql.ts'
import { BothAddresses } from '../../parts/BothAddresses.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { DecodedLog, inUnits } from '../../parts/DecodedLog.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { InternalCalls } from '../../parts/InternalCalls.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { MissingRecord } from '../../parts/MissingRecord.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { Address, ChainName, Height, TxHash } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { Time } from '../../parts/Time.tsx'
import { TransactionTable } from '../../parts/TransactionTable.tsx'
import { text } from '../../text.ts'
import { eventsOf, hasAmount } from '../../values/contractWords.ts'
import { count } from '../../values/format.ts'
import { type ContractOrigin, originOf } from './contractOrigin.ts'

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
        {(asset?.symbol || collection?.name) && <ChainText>{` · ${asset?.symbol || collection?.name}`}</ChainText>}
      </h1>
      <Panel title={text.overview} of={query}>
        <FaultNote error={query.errorAt('chain', 'nftCollection')} />
        <Loaded of={query}>
          {() =>
            chain && account ? (
              <Facts
                rows={[
                  [text.address, <BothAddresses of={account} key="address" />],
                  [text.chain, <ChainName chain={chain} key="chain" />],
                  [text.code, chain.vm && (text.codeKinds[chain.vm] ?? chain.vm)],
                  [text.creator, <Address value={origin?.creator} key="creator" />],
                  [text.firstTransaction, <FirstTransaction of={origin?.first} chainId={chainId} key="first" />],
                  [
                    text.token,
                    asset && (
                      <>
                        <a href={links.asset(chainId, asset.denom)}>
                          <ChainText>{asset.symbol || asset.name || asset.denom}</ChainText>
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
                        <ChainText>{collection.name || collection.address}</ChainText>
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
              <MissingRecord what={text.contract} value={address} />
            )
          }
        </Loaded>
      </Panel>
      {chain && account && chain.vm === 'EVM' && (
        <>
          <Logs chainId={chainId} address={address} decimals={asset?.isListed ? asset.decimals : null} />
          <InternalCalls chain={chain} address={address} />
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
    <NoValue />
  )

interface ContractProps {
  readonly chainId: string
  readonly address: string
}

/** What a contract logged in the EVM. Amounts of a listed token are in whole units. */
function Logs({ chainId, address, decimals }: ContractProps & { decimals: number | null | undefined }) {
  const variables = { chainId, address }
  const query = useQuery(ContractLogsDocument, variables)
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ chain }) =>
      chain?.account?.evmTransactions?.nodes.flatMap((tx) =>
        (tx?.logs ?? [])
          .filter(({ account }) => account.address === chain.account?.address)
          .map((log) => ({ ...log, hash: tx?.hash ?? '', height: tx?.height ?? 0 })),
      ) ?? [],
    pageInfoOf: ({ chain }) => chain?.account?.evmTransactions?.pageInfo,
  })
  return (
    <Panel title={text.events} of={query}>
      <FaultNote error={query.errorAt('chain', 'account', 'evmTransactions')} onRetry={query.refetch} />
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
                    <DecodedLog
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
      <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
    </Panel>
  )
}

/** The transactions that name a contract, and the events that it made in them. */
function CosmosContract({ chainId, address }: ContractProps) {
  const variables = { chainId, address }
  const query = useQuery(ContractTransactionsDocument, variables)
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ chain }) => chain?.account?.transactions?.nodes ?? [],
    pageInfoOf: ({ chain }) => chain?.account?.transactions?.pageInfo,
  })
  const { address: spelling = '', hexAddress, bech32Address } = query.data?.chain?.account ?? {}
  const spellings = [spelling, hexAddress ?? '', bech32Address ?? '']
  const events = rows.flatMap((row) => eventsOf(row.events, spellings).map((event) => ({ event, row })))
  return (
    <>
      <Panel title={text.events} of={query}>
        <FaultNote error={query.errorAt('chain', 'account', 'transactions')} onRetry={query.refetch} />
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
                        <ChainText>{event.type}</ChainText>
                      </strong>
                      <span class="values">
                        {event.attributes
                          ?.filter(({ key }) => !/^(_contract_address|msg_index)$/.test(key))
                          .map(({ key, value }, at) => (
                            <span key={at}>
                              <small>
                                <ChainText>{key}</ChainText>
                              </small>{' '}
                              <MiddleEllipsis value={value} />
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
      <Panel title={text.callsAndTransactions} of={query}>
        {query.data && <TransactionTable rows={rows} />}
        <LoadMore hasMore={hasMore} loadMore={loadMore} isAuto={false} />
      </Panel>
    </>
  )
}
