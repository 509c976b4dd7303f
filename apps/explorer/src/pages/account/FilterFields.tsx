import { useContext } from 'preact/hooks'
import { phone, useNarrow } from '../../app/useNarrow.ts'
import { PageAccountContext } from '../../parts/PageAccountContext.ts'
import { TimeField } from '../../parts/TimeField.tsx'
import { text } from '../../text.ts'
import { type ActivityChoice, activityKinds, noChoice } from './activityFilter.ts'

/** The fields by which a reader chooses of an account's activity. A phone shows them when they are asked for. */
export function FilterFields({
  chains,
  choice,
  onChoice,
  hasTransactionFields = true,
}: {
  chains: readonly { chainId: string; prettyName: string }[]
  choice: ActivityChoice
  onChoice: (choice: ActivityChoice) => void
  /** Whether the list can be chosen of by its transactions, and by their balance changes. */
  hasTransactionFields?: boolean
}) {
  const isPhone = useNarrow(phone)
  const chosen = Object.values(choice).filter((value) => value !== '').length
  const fields = (
    <div class="filters choice">
      <Select
        name="chain"
        label={text.chain}
        options={[['', text.allChains], ...chains.map(({ chainId, prettyName }) => [chainId, prettyName] as const)]}
        {...{ choice, onChoice }}
      />
      {hasTransactionFields && <TransactionFields {...{ choice, onChoice }} />}
      <div class="span">
        <TimeField label={text.csv.since} value={choice.since} onChange={(since) => onChoice({ ...choice, since })} />
        <TimeField label={text.csv.until} value={choice.until} onChange={(until) => onChoice({ ...choice, until })} />
      </div>
      {chosen > 0 && (
        <button type="button" onClick={() => onChoice(noChoice)}>
          {text.clear}
        </button>
      )}
    </div>
  )
  if (!isPhone) return fields
  return (
    <details class="choices">
      <summary>{text.filters(chosen)}</summary>
      {fields}
    </details>
  )
}

interface FieldProps {
  readonly choice: ActivityChoice
  readonly onChoice: (choice: ActivityChoice) => void
}

/** The listed assets that the account has, and one that a link names beside them. */
function TokenField(props: FieldProps) {
  const { tokens } = useContext(PageAccountContext)
  const { token } = props.choice
  const held = tokens.map(({ symbol, denoms }) => [denoms.join(' '), symbol] as const)
  const others = token === '' || held.some(([value]) => value === token) ? [] : [[token, token] as const]
  if (held.length + others.length === 0) return null
  return <Select name="token" label={text.token} options={[['', text.allTokens], ...held, ...others]} {...props} />
}

/** Fields of lists of transactions. */
const TransactionFields = (props: FieldProps) => (
  <>
    <TokenField {...props} />
    <Select
      name="kind"
      label={text.type}
      options={[['', text.allKinds], ...activityKinds.map((kind) => [kind, text.kinds[kind]] as const)]}
      {...props}
    />
    <Select
      name="result"
      label={text.result}
      options={[
        ['', text.allResults],
        ['success', text.ok],
        ['failed', text.failed],
      ]}
      {...props}
    />
    <Select
      name="direction"
      label={text.direction}
      options={[
        ['', text.allDirections],
        ['in', text.directions.in],
        ['out', text.directions.out],
      ]}
      {...props}
    />
    <input
      type="search"
      class="party"
      aria-label={text.party}
      placeholder={text.party}
      autocomplete="off"
      spellcheck={false}
      maxLength={128}
      value={props.choice.party}
      onChange={({ currentTarget: { value } }) => props.onChoice({ ...props.choice, party: value.trim() })}
    />
    <label class="check">
      <input
        type="checkbox"
        checked={props.choice.dust === ''}
        onChange={({ currentTarget: { checked } }) => props.onChoice({ ...props.choice, dust: checked ? '' : 'show' })}
      />{' '}
      {text.hideDust}
    </label>
  </>
)

function Select<Name extends 'chain' | 'kind' | 'result' | 'direction' | 'token'>({
  name,
  label,
  options,
  choice,
  onChoice,
}: FieldProps & {
  name: Name
  label: string
  options: readonly (readonly [ActivityChoice[Name], string])[]
}) {
  return (
    <select
      aria-label={label}
      value={choice[name]}
      onChange={({ currentTarget: { value } }) => {
        const chosen = options.find(([option]) => option === value)
        if (chosen) onChoice({ ...choice, [name]: chosen[0] })
      }}
    >
      {options.map(([value, shown]) => (
        <option value={value} key={value} dir="auto">
          {shown}
        </option>
      ))}
    </select>
  )
}
