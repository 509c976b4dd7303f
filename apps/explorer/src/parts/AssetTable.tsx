import { useQuery } from '@portolan/client/react'
import { links } from '../app/links.ts'
import { AssetPricesDocument, type AssetsQueryVariables, type ListedAssetFragment } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { dollars } from '../values/format.ts'
import { Origin } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { FaultNote } from './FaultNote.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { NoValue } from './NoValue.tsx'
import { ChainName } from './recordLinks.tsx'
import { Table } from './Table.tsx'

const keyOf = ({ chainId, denom }: { chainId: string; denom: string }) => `${chainId} ${denom}`

/** A page of a list of assets, and the variables that it was asked for with. */
export interface AssetPage {
  readonly rows: readonly ListedAssetFragment[]
  readonly variables: AssetsQueryVariables
}

/**
 * Assets with their prices, which come after them: each is a request to the router. Pages of a list ask for their own, so that
 * one that is loaded asks for no price again.
 */
export function AssetTable({ pages, hasChain = false }: { pages: readonly AssetPage[]; hasChain?: boolean }) {
  return (
    <Table
      caption={text.assets}
      heads={[text.asset, text.name, hasChain ? text.chain : text.denom, { number: text.price }]}
    >
      {pages.map((page) => (
        <AssetRows key={JSON.stringify(page.variables)} page={page} hasChain={hasChain} />
      ))}
    </Table>
  )
}

function AssetRows({ page: { rows, variables }, hasChain }: { page: AssetPage; hasChain: boolean }) {
  const query = useQuery(AssetPricesDocument, variables, { skip: rows.length === 0 })
  const prices = new Map(query.data?.assets?.nodes.flatMap((node) => (node ? [[keyOf(node), node.usdPrice]] : [])))
  const error = query.error ?? query.rootError
  return (
    <>
      {error && (
        <tr>
          <td colSpan={4}>
            <FaultNote error={error} onRetry={query.refetch} />
          </td>
        </tr>
      )}
      {rows.map((asset) => (
        <tr key={keyOf(asset)}>
          <td>
            <a href={links.asset(asset.chainId, asset.denom)}>
              {asset.symbol ? <ChainText>{asset.symbol}</ChainText> : <MiddleEllipsis value={asset.denom} />}
            </a>
            <Origin of={{ originLabel: asset.originLabel }} always />
          </td>
          <td>{asset.name ? <ChainText>{asset.name}</ChainText> : <NoValue />}</td>
          <td class={hasChain ? undefined : 'wide'}>
            {hasChain ? (
              <ChainName chain={{ chainId: asset.chainId, prettyName: asset.chain.prettyName }} />
            ) : (
              <MiddleEllipsis value={asset.denom} />
            )}
          </td>
          <td class="number" aria-busy={query.isLoading}>
            {query.isLoading ? '' : (dollars(prices.get(keyOf(asset))) ?? <NoValue />)}
          </td>
        </tr>
      ))}
    </>
  )
}
