import { links } from '../app/links.ts'
import { text } from '../text.ts'
import { decimal, dollars, exact } from '../values/format.ts'
import { ChainText } from './ChainText.tsx'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { NoValue } from './NoValue.tsx'

/** Digits of a fraction that a column has room for. */
const alignedDigits = 6

/** An exact number whose decimal sign stands where others have it. */
export function Digits({ value }: { value?: string | null }) {
  if (value == null) return <NoValue />
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
      <ChainText>{of.originLabel}</ChainText>
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
  if (of.tokenId != null) return <MiddleEllipsis value={`#${of.tokenId}`} />
  const number = of.formattedAmount ?? of.amount
  if (number == null) return <NoValue />
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
  const shown = name.length > 16 ? <MiddleEllipsis value={name} /> : <ChainText>{name}</ChainText>
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
      <ChainText>{of.symbol ?? of.denom}</ChainText>
    </a>
  ) : (
    <ChainText>{otherwise ?? ''}</ChainText>
  )
