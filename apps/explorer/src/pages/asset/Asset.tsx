import { usePages, useQuery } from '@portolan/client/react'
import { links } from '../../app/links.ts'
import type { PageProps } from '../../app/pageProps.ts'
import { AssetDocument, HoldersDocument } from '../../generated/graphql.ts'
import { Digits, Origin } from '../../parts/Amount.tsx'
import { ChainText } from '../../parts/ChainText.tsx'
import { CopyButton } from '../../parts/CopyButton.tsx'
import { FaultNote } from '../../parts/FaultNote.tsx'
import { LoadMore } from '../../parts/LoadMore.tsx'
import { MiddleEllipsis } from '../../parts/MiddleEllipsis.tsx'
import { NoValue } from '../../parts/NoValue.tsx'
import { Facts, Loaded, Panel } from '../../parts/Panel.tsx'
import { Address } from '../../parts/recordLinks.tsx'
import { Table } from '../../parts/Table.tsx'
import { text } from '../../text.ts'
import { count, dollars, percent } from '../../values/format.ts'
import { TokenTransfers } from './TokenTransfers.tsx'

/** An asset, and who holds most of it. */
export function Asset({ place }: PageProps) {
  const [chainId = '', denom = ''] = place.parts
  const query = useQuery(AssetDocument, { chainId, denom })
  const asset = query.data?.asset
  return (
    <>
      <h1>
        <ChainText>{asset?.symbol ?? asset?.name ?? denom}</ChainText>
        {asset && <Origin of={asset} always />}
      </h1>
      <Panel title={text.overview} of={query}>
        <Loaded of={query}>
          {() =>
            asset ? (
              <Facts
                rows={[
                  [text.name, asset.name && <ChainText>{asset.name}</ChainText>],
                  [text.about, asset.description && <ChainText>{asset.description}</ChainText>],
                  [
                    text.denom,
                    <span class="linked" key="denom">
                      <MiddleEllipsis value={asset.denom} />
                      <CopyButton value={asset.denom} />
                    </span>,
                  ],
                  [
                    text.chain,
                    <a href={links.chain(asset.chainId)} key="chain">
                      <ChainText>{asset.chain.prettyName}</ChainText>
                    </a>,
                  ],
                  [text.price, dollars(asset.usdPrice)],
                  [text.decimals, asset.decimals],
                  [
                    text.contract,
                    asset.tokenContract && (
                      <a href={links.contract(chainId, asset.tokenContract)} key="contract">
                        <MiddleEllipsis value={asset.tokenContract} />
                      </a>
                    ),
                  ],
                  [
                    text.origin,
                    asset.originChainId && asset.originDenom && asset.originChainId !== asset.chainId && (
                      <a href={links.asset(asset.originChainId, asset.originDenom)} key="origin">
                        {asset.originChainId}
                      </a>
                    ),
                  ],
                  [text.path, asset.trace],
                ]}
              />
            ) : (
              <UnlistedAsset chainId={chainId} denom={denom} />
            )
          }
        </Loaded>
      </Panel>
      {(asset?.chain.isIndexed ?? true) && <Holders chainId={chainId} denom={denom} />}
      {asset?.chain.isIndexed && asset.chain.vm === 'EVM' && asset.tokenContract && (
        <TokenTransfers chainId={chainId} contract={asset.tokenContract} />
      )}
    </>
  )
}

/** A denom that no list of assets has. Its chain may have holders of it. */
const UnlistedAsset = ({ chainId, denom }: { chainId: string; denom: string }) => (
  <>
    <Facts
      rows={[
        [
          text.denom,
          <span class="linked" key="denom">
            <MiddleEllipsis value={denom} />
            <CopyButton value={denom} />
          </span>,
        ],
        [
          text.chain,
          <a href={links.chain(chainId)} key="chain">
            {chainId}
          </a>,
        ],
      ]}
    />
    <p class="nothing">{text.unlistedAsset}</p>
  </>
)

function Holders({ chainId, denom }: { chainId: string; denom: string }) {
  const variables = { chainId, denom }
  const query = useQuery(HoldersDocument, variables)
  const list = query.data?.chain?.richList
  const { rows, hasMore, loadMore } = usePages(query, {
    rowsOf: ({ chain }) => chain?.richList?.nodes ?? [],
    pageInfoOf: ({ chain }) => chain?.richList?.pageInfo,
  })
  return (
    <Panel title={text.holders} note={list?.totalCount != null && count(list.totalCount)} of={query}>
      <FaultNote error={query.errorAt('chain', 'richList')} onRetry={query.refetch} />
      <Loaded of={query}>
        {() =>
          rows.length === 0 ? (
            <p class="nothing">{text.nothing}</p>
          ) : (
            <Table
              caption={text.holders}
              heads={[
                { number: text.rank },
                text.account,
                { number: text.amount },
                { number: text.share },
                { number: text.value },
              ]}
              isStacked
            >
              {rows.map((holder, index) => (
                <tr key={holder.account.address}>
                  <td class="number">{holder.rank ?? index + 1}</td>
                  <td class="wide">
                    <Address value={holder.account.address} />
                  </td>
                  <td class="number">
                    <Digits value={holder.formattedAmount ?? holder.amount} />
                  </td>
                  <td class="number">{holder.sharePercent == null ? <NoValue /> : percent(holder.sharePercent)}</td>
                  <td class="number">{dollars(holder.usdValue) ?? <NoValue />}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {hasMore && <LoadMore hasMore={hasMore} loadMore={loadMore} />}
    </Panel>
  )
}
