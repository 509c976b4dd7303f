import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ago, count, localDate, localTime, utcTime } from '../app/format.ts'
import { links, outside } from '../app/links.ts'
import { useTimes } from '../app/times.tsx'
import { useAge } from '../app/useNow.tsx'
import { text } from '../text.ts'
import { ModuleTag } from './ModuleTag.tsx'
import { Short } from './Short.tsx'
import { Words } from './Words.tsx'

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
      {as === 'dates' && form !== 'age' ? <DateOf value={value} /> : <Age of={value} />}
    </time>
  )
}

/** A date breaks before its time alone. */
function DateOf({ value }: { value: string }) {
  const [day, time] = localDate(value).split(' ')
  return (
    <>
      <span class="whole">{day}</span> <span class="whole">{time}</span>
    </>
  )
}

const FullTime = ({ value }: { value: string }) => (
  <time dateTime={value} title={utcTime(value)}>
    {localTime(value)} · <Age of={value} />
  </time>
)

/** Drawn anew as it grows, and alone. */
const Age = ({ of }: { of: string }) => <>{ago(useAge(of))}</>

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
