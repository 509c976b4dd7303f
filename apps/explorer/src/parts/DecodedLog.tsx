import { eventOf, type LogValue, valuesOf } from '../values/contractWords.ts'
import { count, exact, scaled } from '../values/format.ts'
import { MiddleEllipsis } from './MiddleEllipsis.tsx'
import { Address } from './recordLinks.tsx'

interface Log {
  readonly topics?: readonly string[] | null
  readonly data: string
}

/** What a contract logged: the name of the event if it is a common one, and its values by their form. */
export const DecodedLog = ({
  of,
  amountOf = count,
}: {
  of: Log
  /** How a number is written. */
  amountOf?: ((value: string) => string) | undefined
}) => (
  <>
    <strong>{eventOf(of.topics) ?? <MiddleEllipsis value={of.topics?.[0] ?? ''} />}</strong>
    <span class="values">
      {valuesOf(of).map((value, at) => (
        <DecodedValue key={at} of={value} amountOf={amountOf} />
      ))}
    </span>
  </>
)

function DecodedValue({ of: { kind, text: value }, amountOf }: { of: LogValue; amountOf: (value: string) => string }) {
  if (kind === 'address') return <Address value={value} />
  return kind === 'number' ? <span title={exact(value)}>{amountOf(value)}</span> : <MiddleEllipsis value={value} />
}

/** Numbers as amounts of a token. */
export const inUnits =
  (decimals: number) =>
  (value: string): string =>
    exact(scaled(value, decimals))
