import { useContext, useId, useState } from 'preact/hooks'
import { dollars } from '../app/format.ts'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { Amount, type AmountParts } from './amount.tsx'
import { Names, PageAccount, type PageAccountParts } from './known.ts'
import { Short } from './Short.tsx'
import { Address } from './text.tsx'
import { Words } from './Words.tsx'

/** Changes that a closed row names. */
const shownChanges = 3

/** What an amount is worth at the prices of the page's account. Undefined without a price. */
export function worthOf(
  { denom, formattedAmount }: AmountParts,
  chainId: string,
  prices: PageAccountParts['prices'],
): string | undefined {
  const price = prices.get(`${chainId} ${denom}`)
  if (!price || !formattedAmount) return undefined
  return dollars(`${Math.abs(Number(formattedAmount)) * price}`)
}

/** What an account gave or got by a transaction. */
export interface ChangeParts extends AmountParts {
  readonly kind: string
  readonly objectAddress?: string | null
  readonly collection?: { readonly address: string } | null
  /** The contract of a token, which may have no denom. */
  readonly contract?: { readonly address: string } | null
}

type Changes = readonly ChangeParts[]

/** What an account gave and got, with signs. A press shows all of it, with the fee. */
export function Moves({ of, chainId }: { of: Changes; chainId: string }) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const moved = of.filter(({ kind }) => kind !== 'FEE')
  const others = moved.length - shownChanges
  if (of.length === 0) return null
  return (
    <div class="moves">
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
              <Move of={change} chainId={chainId} /> {change.kind === 'FEE' && <small>{text.changeKinds.FEE}</small>}
            </li>
          ))}
        </ul>
      ) : (
        <div>
          {moved.slice(0, shownChanges).map((change, index) => (
            <Move key={index} of={change} chainId={chainId} />
          ))}
          {others > 0 && <small>{text.moreActions(others)}</small>}
          {moved.length === 0 && <small>{text.feeOnly}</small>}
        </div>
      )}
    </div>
  )
}

function Move({ of, chainId }: { of: ChangeParts; chainId: string }) {
  const { prices } = useContext(PageAccount)
  const isLoss = of.amount?.startsWith('-')
  return (
    <span class={isLoss ? 'loss' : 'gain'}>
      {of.kind === 'NFT' || of.kind === 'OBJECT' ? (
        <span class="amount">
          {isLoss ? '−' : '+'} <Thing of={of} chainId={chainId} />
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
export const withDenom = (change: ChangeParts): AmountParts => ({
  ...change,
  denom: change.denom ?? change.contract?.address ?? null,
})

/** An NFT or an object, which leads to its page. */
function Thing({ of: { kind, tokenId, collection, objectAddress }, chainId }: { of: ChangeParts; chainId: string }) {
  const names = useContext(Names)
  const known = names.get((objectAddress ?? collection?.address ?? '').toLowerCase())
  const id = tokenId != null && <Short value={`#${tokenId}`} />
  if (collection && tokenId != null) {
    return (
      <a href={links.nft(chainId, collection.address, tokenId)}>
        {known ? <Words>{known.name}</Words> : text.nft} {id}
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
      <Words>{known.name}</Words>
    </a>
  ) : (
    <>
      {kind === 'NFT' ? text.nft : text.object} <Address value={objectAddress} />
    </>
  )
}
