import type { SpelledFragment } from '../generated/graphql.ts'
import { Short } from './Short.tsx'
import { Address, Copy } from './text.tsx'

/** An account of a chain in both of its spellings, side by side. */
export function Spelled({ of: { address, hexAddress, bech32Address } }: { of: SpelledFragment }) {
  const other = address === hexAddress ? bech32Address : hexAddress
  return (
    <div class="values">
      <Address value={address} hasCopy />
      {other && other !== address && (
        <span class="linked none">
          <Short value={other} />
          <Copy value={other} />
        </span>
      )}
    </div>
  )
}
