import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ago, count, decimal, dollars, exact, localDate, localTime, utcTime } from '../app/format.ts'
import { links, outside } from '../app/links.ts'
import { useTimes } from '../app/times.tsx'
import { useAge } from '../app/useNow.tsx'
import { text } from '../text.ts'
import { ModuleTag } from './ModuleTag.tsx'

/** A button that copies a text. */
export function Copy({
  value,
  label = text.copy,
  isOver = false,
}: {
  value: string
  label?: string
  /** Whether it lies over what follows, and takes no room of its own. */
  isOver?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1_500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () =>
    navigator.clipboard?.writeText(value).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <button type="button" class={isOver ? 'copy over' : 'copy'} onClick={copy} title={label} aria-label={label}>
      {isCopied ? (
        '✓'
      ) : (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M5 5V2h9v9h-3M2 5h9v9H2z" />
        </svg>
      )}
    </button>
  )
}

/**
 * A long text. Where it has no room, the style hides its middle behind an ellipsis. All of it stays one run of text, so
 * that it can be selected, copied, and found by the search of the browser.
 */
export function Short({ value }: { value: string }) {
  if (value.length <= fits) return <Words>{value}</Words>
  const { head, headExtra, middle, tailExtra, tail } = cutText(value)
  return (
    <bdi class={value.length > wraps ? 'short endless' : 'short'} title={value.slice(0, wraps)}>
      {head}
      <span class="extra">{headExtra}</span>
      <span class="middle">{middle}</span>
      <span class="extra">{tailExtra}</span>
      {tail}
    </bdi>
  )
}

/** What tells nothing of an address, such as `init1`, `0x` and `ibc/`. */
const prefix = /^(0x|[a-z]{1,20}1(?=[02-9ac-hj-np-z]{8})|[\da-z]{1,12}\/)/i

/** A text as it is cut: a phone hides the extras too, and keeps four characters after the prefix and at the end. */
export function cutText(value: string) {
  const { length } = prefix.exec(value)?.[0] ?? ''
  const start = length + 10 <= value.length ? length : 0
  const at = [start + 4, Math.max(10, start + 4), value.length - 6, value.length - 4]
  const [first = 0, second = 0, third = 0, fourth = 0] = at.map((index) => wholeAt(value, index))
  return {
    head: value.slice(0, first),
    headExtra: value.slice(first, second),
    middle: value.slice(second, third),
    tailExtra: value.slice(third, fourth),
    tail: value.slice(fourth),
  }
}

/** Characters that always have room. */
const fits = 17
/** Characters that may take more than one line where a text stands alone. */
const wraps = 160

/** An index at which a text can be cut without cutting a character. */
const wholeAt = (value: string, at: number): number => (/[\udc00-\udfff]/.test(value[at] ?? '') ? at + 1 : at)

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
        <Short value={value} />
      </a>
      {(hasCopy || isPointed) && <Copy value={value} isOver={!hasCopy} />}
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
    <None />
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
    <Words>{chain.prettyName}</Words>
  </a>
)

/** A chain at an end of a hop: by its name, or by its id alone. */
export const HopChain = ({ chain, chainId }: { chain?: ChainParts | null; chainId?: string | null }) =>
  chain || chainId ? (
    <ChainName chain={chain ?? { chainId: chainId ?? '', prettyName: chainId ?? '' }} />
  ) : (
    <Words>{text.unknown}</Words>
  )

/** Who made a block: the name, or the address without one. It leads to the account that operates the validator. */
export function Proposer({ of }: { of?: { moniker?: string | null; operatorAddress?: string | null } | null }) {
  const name = of?.moniker
  if (!of?.operatorAddress) return name ? <Words>{name}</Words> : <None />
  return (
    <a href={links.account(of.operatorAddress)} title={of.operatorAddress}>
      {name ? <Words>{name}</Words> : <Short value={of.operatorAddress} />}
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

/** A text that comes from a chain: in its own direction, and never anything but text. */
export const Words = ({ children }: { children: string }) => <bdi dir="auto">{children}</bdi>

export const None = () => <span class="none">{text.none}</span>

/** A time: as long ago, or as a date if the reader chose dates. The local time and UTC are shown on hover. */
export function Time({
  value,
  as: form,
}: {
  value?: string | null
  /** `both` has the date and the age, whatever the reader chose. */
  as?: 'age' | 'both'
}) {
  const { as } = useTimes()
  if (!value) return <None />
  if (form === 'both') return <FullTime value={value} />
  return (
    <time dateTime={value} title={`${localTime(value)}\n${utcTime(value)}`}>
      {as === 'dates' && form !== 'age' ? localDate(value) : <Age of={value} />}
    </time>
  )
}

const FullTime = ({ value }: { value: string }) => (
  <time dateTime={value} title={utcTime(value)}>
    {localTime(value)} · <Age of={value} />
  </time>
)

/** Drawn anew as it grows, and alone. */
const Age = ({ of }: { of: string }) => <>{ago(useAge(of))}</>

/** Digits of a fraction that a column has room for. */
const alignedDigits = 6

/** An exact number whose decimal sign stands where others have it. */
export function Digits({ value }: { value?: string | null }) {
  if (value == null) return <None />
  const { whole, fraction } = decimal(value)
  const rest = Math.max(0, alignedDigits - Math.max(0, fraction.length - 1))
  return (
    <span class="digits" title={value}>
      {whole}
      <span class="fraction" data-rest={`${fraction ? '' : '.'}${'0'.repeat(rest)}`}>
        {fraction}
      </span>
    </span>
  )
}

/** Where an asset comes from, and whether another one of its chain has its symbol. */
export interface OriginParts {
  readonly originLabel: string
  readonly sharesSymbol: boolean
}

/** Where an asset comes from, beside its symbol. Nothing for the only one of its symbol, unless it is `always` shown. */
export function Origin({
  of,
  always = false,
}: {
  of: { readonly originLabel?: string | undefined; readonly sharesSymbol?: boolean | undefined }
  always?: boolean
}) {
  if (!of.originLabel || !(of.sharesSymbol || (always && of.originLabel !== 'native'))) return null
  return (
    <span class="origin" title={of.originLabel}>
      <Words>{of.originLabel}</Words>
    </span>
  )
}

/** An amount of an asset, as queries with the fragment `Amount` have it. */
export interface AmountParts {
  readonly amount?: string | null
  readonly denom?: string | null
  readonly formattedAmount?: string | null
  readonly usdValue?: string | null
  /** The one token that was moved, if tokens of the asset differ. */
  readonly tokenId?: string | null
  readonly asset?:
    | ({
        readonly chainId: string
        readonly symbol?: string | null
        readonly isListed?: boolean
      } & Partial<OriginParts>)
    | null
}

/** An amount with its symbol, which leads to the asset. */
export function Amount({
  of,
  chainId,
  isChange = false,
  isExact = false,
  isPlain = false,
}: {
  of: AmountParts
  chainId?: string | undefined
  /** Whether it is shown with a sign. */
  isChange?: boolean
  /** Whether all of its digits are shown. */
  isExact?: boolean
  /** Whether it stands in a sentence, where the origin of its asset would be in the way. */
  isPlain?: boolean
}) {
  if (of.tokenId != null) return <Short value={`#${of.tokenId}`} />
  const number = of.formattedAmount ?? of.amount
  if (number == null) return <None />
  if (of.formattedAmount == null && of.denom) {
    return (
      <span class="amount" title={text.baseUnits}>
        {exact(number, isChange)} <AssetName of={of} chainId={chainId} isPlain={isPlain} />{' '}
        <small>{text.baseAmount}</small>
      </span>
    )
  }
  const { whole, fraction } = decimal(number, isChange)
  const value = dollars(of.usdValue)
  return (
    <span class="amount" title={value ? `${exact(number)} · ${value} ${text.atPresentPrice}` : exact(number)}>
      {isExact ? exact(number, isChange) : whole + fraction} <AssetName of={of} chainId={chainId} isPlain={isPlain} />
    </span>
  )
}

/** The symbol of an asset, or its denom where nobody knows one. */
export function AssetName({
  of,
  chainId,
  isPlain = false,
}: {
  of: AmountParts
  chainId?: string | undefined
  isPlain?: boolean
}) {
  const denom = of.denom ?? ''
  const name = of.asset?.symbol ?? denom
  const chain = of.asset?.chainId ?? chainId
  const shown = name.length > 16 ? <Short value={name} /> : <Words>{name}</Words>
  return (
    <>
      {chain && denom ? (
        <a href={links.asset(chain, denom)} title={of.asset?.originLabel}>
          {shown}
        </a>
      ) : (
        shown
      )}
      {of.asset && !isPlain && <Origin of={of.asset} />}
    </>
  )
}

/** The symbol of an asset as a link, without its origin. What nobody lists has its denom, if that is known. */
export const AssetLink = ({
  of,
  otherwise,
}: {
  of?: { readonly chainId: string; readonly denom: string; readonly symbol?: string | null } | null
  otherwise?: string | null
}) =>
  of ? (
    <a href={links.asset(of.chainId, of.denom)}>
      <Words>{of.symbol ?? of.denom}</Words>
    </a>
  ) : (
    <Words>{otherwise ?? ''}</Words>
  )

/** A link that leads out of the explorer. Plain text if it is not safe to follow. */
export function Outside({ href, children }: { href?: string | null; children: ComponentChildren }) {
  const safe = outside(href)
  if (!safe) return <bdi>{children}</bdi>
  return (
    <a href={safe} rel="noopener noreferrer nofollow" target="_blank">
      <bdi>{children}</bdi>
    </a>
  )
}

/** Whether a transaction succeeded. The short form is a mark. */
export function Result({ ok, isShort = false }: { ok: boolean | null | undefined; isShort?: boolean }) {
  const words = ok == null ? text.unknownResult : ok ? text.ok : text.failed
  return (
    <span class={ok == null ? 'result none' : ok ? 'result good' : 'result bad'} title={isShort ? words : undefined}>
      {ok == null ? '?' : ok ? '✓' : '✕'} <span class={isShort ? 'unseen' : undefined}>{words}</span>
    </span>
  )
}
