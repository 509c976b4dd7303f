import type { BothAddressesFragment } from '../generated/graphql.ts'
import { CopyButton } from './CopyButton.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { Address } from './recordLinks.tsx'

/** An account of a chain in both of its spellings, side by side. */
export function BothAddresses({ of: { address, hexAddress, bech32Address } }: { of: BothAddressesFragment }) {
  const other = address === hexAddress ? bech32Address : hexAddress
  return (
    <div class="values">
      <Address value={address} hasCopy />
      {other && other !== address && (
        <span class="linked none">
          <MiddleEllipsis value={other} />
          <CopyButton value={other} />
        </span>
      )}
    </div>
  )
}
