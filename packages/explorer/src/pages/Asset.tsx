import { count, dollars, percent } from '../app/format.ts'
import { links } from '../app/links.ts'
import type { PageProps } from '../app/pageProps.ts'
import { usePages } from '../app/usePages.ts'
import { useQuery } from '../app/useQuery.ts'
import { AssetDocument, HoldersDocument } from '../generated/graphql.ts'
import { Digits, Origin } from '../parts/amount.tsx'
import { Failed } from '../parts/Failed.tsx'
import { More } from '../parts/More.tsx'
import { Facts, Loaded, Panel } from '../parts/Panel.tsx'
import { Short } from '../parts/Short.tsx'
import { Table } from '../parts/Table.tsx'
import { Address, Copy, None } from '../parts/text.tsx'
import { Words } from '../parts/Words.tsx'
import { text } from '../text.ts'
import { TokenTransfers } from './TokenTransfers.tsx'

/** An asset, and who holds most of it. */
export function Asset({ place }: PageProps) {
  const [chainId = '', denom = ''] = place.parts
  const query = useQuery(AssetDocument, { chainId, denom })
  const asset = query.data?.asset
  return (
    <>
      <h1>
        <Words>{asset?.symbol ?? asset?.name ?? denom}</Words>
        {asset && <Origin of={asset} always />}
      </h1>
      <Panel title={text.overview} of={query.operation}>
        <Loaded of={query}>
          {() =>
            asset ? (
              <Facts
                rows={[
                  [text.name, asset.name && <Words>{asset.name}</Words>],
                  [text.about, asset.description && <Words>{asset.description}</Words>],
                  [
                    text.denom,
                    <span class="linked" key="denom">
                      <Short value={asset.denom} />
                      <Copy value={asset.denom} />
                    </span>,
                  ],
                  [
                    text.chain,
                    <a href={links.chain(asset.chainId)} key="chain">
                      <Words>{asset.chain.prettyName}</Words>
                    </a>,
                  ],
                  [text.price, dollars(asset.usdPrice)],
                  [text.decimals, asset.decimals],
                  [
                    text.contract,
                    asset.tokenContract && (
                      <a href={links.contract(chainId, asset.tokenContract)} key="contract">
                        <Short value={asset.tokenContract} />
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
              <Unlisted chainId={chainId} denom={denom} />
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
const Unlisted = ({ chainId, denom }: { chainId: string; denom: string }) => (
  <>
    <Facts
      rows={[
        [
          text.denom,
          <span class="linked" key="denom">
            <Short value={denom} />
            <Copy value={denom} />
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
  const { rows, hasMore, load } = usePages(HoldersDocument, variables, {
    first: query.data,
    rowsOf: ({ chain }) => chain?.richList?.nodes ?? [],
    infoOf: ({ chain }) => chain?.richList?.pageInfo,
  })
  return (
    <Panel title={text.holders} note={list?.totalCount != null && count(list.totalCount)} of={query.operation}>
      <Failed error={query.errorAt('chain', 'richList')} onRetry={query.reload} />
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
                  <td class="number line">
                    <Digits value={holder.formattedAmount ?? holder.amount} />
                  </td>
                  <td class="number">{holder.sharePercent == null ? <None /> : percent(holder.sharePercent)}</td>
                  <td class="number">{dollars(holder.usdValue) ?? <None />}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </Loaded>
      {hasMore && <More hasMore={hasMore} load={load} />}
    </Panel>
  )
}
