import { useContext, useId, useState } from 'preact/hooks'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { dollars } from '../values/format.ts'
import { Amount, type AmountParts } from './Amount.tsx'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { NamesContext } from './NamesContext.ts'
import { type PageAccount, PageAccountContext } from './PageAccountContext.ts'
import { Address } from './recordLinks.tsx'
import { CollectionName } from './TransferAmount.tsx'

/** Changes that a closed row names. */
const shownChanges = 3

/** What an amount is worth at the prices of the page's account. Undefined without a price. */
export function worthOf(
  { denom, formattedAmount }: AmountParts,
  chainId: string,
  prices: PageAccount['prices'],
): string | undefined {
  const price = prices.get(`${chainId} ${denom}`)
  if (!price || !formattedAmount) return undefined
  return dollars(`${Math.abs(Number(formattedAmount)) * price}`)
}

/** What an account gave or got by a transaction. */
export interface BalanceChangeParts extends AmountParts {
  readonly kind: string
  readonly objectAddress?: string | null
  readonly collection?: { readonly address: string } | null
  /** The contract of a token, which may have no denom. */
  readonly contract?: { readonly address: string } | null
}

type BalanceChanges = readonly BalanceChangeParts[]

/** The balance changes of the account of the page, with signs. A press shows all of it, with the fee. */
export function AccountBalanceChanges({ of, chainId }: { of: BalanceChanges; chainId: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const moved = of.filter(({ kind }) => kind !== 'FEE')
  const others = moved.length - shownChanges
  if (of.length === 0) return null
  return (
    <div class="balance-changes">
      <button
        type="button"
        class="opens"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={text.changes}
        title={text.changes}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen ? (
        <ul id={id}>
          {of.map((change, index) => (
            <li key={index}>
              <BalanceChangeLine of={change} chainId={chainId} />{' '}
              {change.kind === 'FEE' && <small>{text.changeKinds.FEE}</small>}
            </li>
          ))}
        </ul>
      ) : (
        <div>
          {moved.slice(0, shownChanges).map((change, index) => (
            <BalanceChangeLine key={index} of={change} chainId={chainId} />
          ))}
          {others > 0 && <small>{text.moreActions(others)}</small>}
          {moved.length === 0 && <small>{text.feeOnly}</small>}
        </div>
      )}
    </div>
  )
}

function BalanceChangeLine({ of, chainId }: { of: BalanceChangeParts; chainId: string }) {
  const { prices } = useContext(PageAccountContext)
  const isLoss = of.amount?.startsWith('-')
  return (
    <span class={isLoss ? 'loss' : 'gain'}>
      {of.kind === 'NFT' || of.kind === 'OBJECT' ? (
        <span class="amount">
          {isLoss ? '−' : '+'} <NftOrObject of={of} chainId={chainId} />
        </span>
      ) : (
        <>
          <Amount of={withDenom(of)} chainId={chainId} isChange isExact={of.kind === 'FEE'} isPlain />{' '}
          <small title={text.atPresentPrice}>{worthOf(of, chainId, prices)}</small>
        </>
      )}
    </span>
  )
}

/** An amount by its denom, or by the contract of a token without one. */
export const withDenom = (change: BalanceChangeParts): AmountParts => ({
  ...change,
  denom: change.denom ?? change.contract?.address ?? null,
})

/** An NFT or an object, which leads to its page. */
function NftOrObject({
  of: { kind, tokenId, collection, objectAddress },
  chainId,
}: {
  of: BalanceChangeParts
  chainId: string
}) {
  const names = useContext(NamesContext)
  const known = names.get((objectAddress ?? '').toLowerCase())
  const id = tokenId != null && <MiddleEllipsis value={`#${tokenId}`} />
  if (collection && tokenId != null) {
    return (
      <a href={links.nft(chainId, collection.address, tokenId)}>
        <CollectionName chainId={chainId} address={collection.address} /> {id}
      </a>
    )
  }
  if (!objectAddress) {
    return (
      <>
        {text.nft} {id}
      </>
    )
  }
  return known ? (
    <a href={known.href}>
      <ChainText>{known.name}</ChainText>
    </a>
  ) : (
    <>
      {kind === 'NFT' ? text.nft : text.object} <Address value={objectAddress} />
    </>
  )
}
