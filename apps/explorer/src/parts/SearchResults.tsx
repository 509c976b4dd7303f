import { links } from '../app/links.ts'
import type { SearchQuery } from '../generated/graphql.ts'
import { text } from '../text.ts'
import { count, dollars } from '../values/format.ts'
import { Origin } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { NoValue } from './NoValue.tsx'
import { ChainName } from './recordLinks.tsx'
import { Table } from './Table.tsx'

type Found = NonNullable<SearchQuery['search']>['results'][number]

/** What a search found, as rows with links. */
export function SearchResults({ rows, query }: { rows: readonly Found[]; query: string }) {
  const targets = rows.map((row) => ({ row, ...targetOf(row, query) }))
  const hasWorth = targets.some(({ worth }) => worth != null)
  const heads = [text.name, text.type, text.chain, ...(hasWorth ? [{ number: text.priceOrBalance }] : [])]
  return (
    <Table caption={text.searchLabel} heads={heads}>
      {targets.map(({ row, kind, href, name, worth }, index) => {
        const { node } = row
        // The name of a candidate is that of its chain.
        const chain =
          node.__typename === 'FollowCandidate' ? { chainId: node.chainId, prettyName: node.chainId } : row.chain
        return (
          <tr key={index}>
            <td class="wide">
              <a href={href}>{name.length > 30 ? <MiddleEllipsis value={name} /> : <ChainText>{name}</ChainText>}</a>
              {node.__typename === 'Asset' && (
                <small class="second">
                  <Origin of={node} always /> <MiddleEllipsis value={node.denom} />
                </small>
              )}
            </td>
            <td>{kind}</td>
            <td>{chain ? <ChainName chain={chain} /> : text.allChains}</td>
            {hasWorth && <td class="number">{dollars(worth) ?? <NoValue />}</td>}
          </tr>
        )
      })}
    </Table>
  )
}

/** Where a result leads, and what it is or has in US dollars. */
interface Target {
  readonly kind: string
  readonly href: string
  readonly name: string
  readonly worth?: string | null | undefined
}

/** Where a result of a search for a text leads. */
export function targetOf({ node, chain }: Found, query: string): Target {
  const chainId = chain?.chainId ?? ''
  switch (node.__typename) {
    case 'Block':
      return { kind: text.block, href: links.block(chainId, node.height), name: count(node.height) }
    case 'Transaction':
    case 'EvmTransaction':
      return {
        kind: text.transaction,
        href: links.transaction(chainId, node.hash),
        name: node.hash,
      }
    case 'Account': {
      const name = node.chainAccounts[0]?.address ?? node.hexAddress
      // A sum that lacks a chain is not what the account has.
      const worth = node.balances?.unavailableChains.length === 0 ? node.balances.usdValue : null
      return { kind: text.account, href: links.account(name), name, worth }
    }
    case 'Asset': {
      const name = [node.symbol, node.name].filter(Boolean).join(' · ') || node.denom
      return { kind: text.asset, href: links.asset(node.chainId, node.denom), name, worth: node.usdPrice }
    }
    case 'NftCollection':
      return {
        kind: text.collection,
        href: links.collection(chainId, node.address),
        name: node.collectionName,
      }
    case 'Chain':
      return { kind: text.chain, href: links.chain(node.chainId), name: node.prettyName }
    case 'FollowCandidate': {
      const kind = node.answer === 'KNOWN' ? text.transfer : text.possibleTransfer
      // All of them have the same hash.
      const name = node.candidateOf?.prettyName ?? node.chainId
      return { kind, href: links.transfer(node.chainId, node.candidateHash), name }
    }
    default:
      return { kind: text.unknown, href: links.search(query), name: query }
  }
}
