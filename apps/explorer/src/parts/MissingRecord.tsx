import type { ComponentChildren } from 'preact'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'

/** A record that does not exist, and where else to look. */
export const MissingRecord = ({
  what,
  value,
  children,
}: {
  what: string
  value: string
  children?: ComponentChildren
}) => (
  <p class="nothing">
    {what} <MiddleEllipsis value={value} /> {text.noRecord}{' '}
    {children ?? <a href={links.search(value)}>{text.searchLabel}</a>}
  </p>
)

/** An NFT or a collection that the indexer does not have, such as those of ERC-1155, whose contract can still be known. */
export const UnlistedNft = ({
  chainId,
  contract,
  ...of
}: {
  what: string
  value: string
  chainId: string
  contract: string
}) => (
  <MissingRecord {...of}>
    {text.unlistedNft} <a href={links.contract(chainId, contract)}>{text.asContract}</a>
  </MissingRecord>
)
