import { type ComponentChildren, Fragment } from 'preact'
import { useState } from 'preact/hooks'
import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { count } from '../values/format.ts'
import { ChainText } from './ChainText.tsx'
import { CopyButton } from './CopyButton.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { ModuleTag } from './ModuleTag.tsx'
import { NoValue } from './NoValue.tsx'

interface LinkedProps {
  readonly value: string
  readonly href: string
  readonly hasCopy?: boolean | undefined
  /** What stands beside it. */
  readonly children?: ComponentChildren
}

/** A link to what a text names. Where a page has many, the button that copies one comes when it is pointed at. */
function Linked({ value, href, hasCopy = false, children }: LinkedProps) {
  const [isPointed, setPointed] = useState(false)
  return (
    <span class="linked" onPointerEnter={() => setPointed(true)} onPointerLeave={() => setPointed(false)}>
      <a href={href}>
        <MiddleEllipsis value={value} />
      </a>
      {(hasCopy || isPointed) && <CopyButton value={value} isOver={!hasCopy} />}
      {children}
    </span>
  )
}

/** The address of an account, as a link, with its module if it is of one. */
export const Address = ({ value, hasCopy }: { value?: string | null; hasCopy?: boolean }) =>
  value ? (
    <Linked value={value} href={links.account(value)} hasCopy={hasCopy}>
      <ModuleTag of={value} />
    </Linked>
  ) : (
    <NoValue />
  )

/** The hash of a transaction, as a link. */
export const TxHash = ({ chainId, value, hasCopy }: { chainId: string; value: string; hasCopy?: boolean }) => (
  <Linked value={value} href={links.transaction(chainId, value)} hasCopy={hasCopy} />
)

export const Height = ({ chainId, value }: { chainId: string; value: number }) => (
  <a href={links.block(chainId, value)} class="height">
    {count(value)}
  </a>
)

/** A chain as its name leads to it. */
export interface ChainParts {
  readonly chainId: string
  readonly prettyName: string
}

export const ChainName = ({ chain }: { chain: ChainParts }) => (
  <a href={links.chain(chain.chainId)} class="chain" title={chain.chainId}>
    <ChainText>{chain.prettyName}</ChainText>
  </a>
)

/** A chain at an end of a hop: by its name, or by its id alone. */
export const HopChain = ({ chain, chainId }: { chain?: ChainParts | null; chainId?: string | null }) =>
  chain || chainId ? (
    <ChainName chain={chain ?? { chainId: chainId ?? '', prettyName: chainId ?? '' }} />
  ) : (
    <ChainText>{text.unknown}</ChainText>
  )

/** Who made a block: the name, or the address without one. It leads to the account that operates the validator. */
export function Proposer({ of }: { of?: { moniker?: string | null; operatorAddress?: string | null } | null }) {
  const name = of?.moniker
  if (!of?.operatorAddress) return name ? <ChainText>{name}</ChainText> : <NoValue />
  return (
    <a href={links.account(of.operatorAddress)} title={of.operatorAddress}>
      {name ? <ChainText>{name}</ChainText> : <MiddleEllipsis value={of.operatorAddress} />}
    </a>
  )
}

/** Chains by their names, in a list. */
export const ChainNames = ({ of }: { of: readonly ChainParts[] }) => (
  <>
    {of.map((chain, index) => (
      <Fragment key={chain.chainId}>
        {index > 0 && ', '}
        <ChainName chain={chain} />
      </Fragment>
    ))}
  </>
)
