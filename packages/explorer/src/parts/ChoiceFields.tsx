import type { ComponentChildren } from 'preact'
import { type ActivityChoice, activityKinds } from '../app/activityFilter.ts'
import { zoneName } from '../app/format.ts'
import { text } from '../text.ts'

/** The fields by which a reader chooses of an account's activity. */
export function ChoiceFields({
  chains,
  choice,
  onChoice,
  hasKinds = true,
  children,
}: {
  chains: readonly { chainId: string; prettyName: string }[]
  choice: ActivityChoice
  onChoice: (choice: ActivityChoice) => void
  /** Whether the list can be chosen of by the kind and the result of its transactions. */
  hasKinds?: boolean
  /** Fields of one list alone. */
  children?: ComponentChildren
}) {
  const select = <Name extends 'chain' | 'kind' | 'result'>(
    name: Name,
    label: string,
    options: readonly (readonly [ActivityChoice[Name], string])[],
  ) => (
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
  const time = (name: 'since' | 'until') => (
    <label title={text.zone(zoneName())}>
      {text.csv[name]}{' '}
      <input
        type="datetime-local"
        value={choice[name]}
        onChange={({ currentTarget: { value } }) => onChoice({ ...choice, [name]: value })}
      />
    </label>
  )
  return (
    <div class="filters choice">
      {select('chain', text.chain, [
        ['', text.allChains],
        ...chains.map(({ chainId, prettyName }) => [chainId, prettyName] as const),
      ])}
      {hasKinds &&
        select('kind', text.type, [
          ['', text.allKinds],
          ...activityKinds.map((kind) => [kind, text.kinds[kind]] as const),
        ])}
      {hasKinds &&
        select('result', text.result, [
          ['', text.allResults],
          ['success', text.ok],
          ['failed', text.failed],
        ])}
      {children}
      <div class="span">
        {time('since')}
        {time('until')}
      </div>
      {Object.values(choice).some((value) => value !== '') && (
        <button type="button" onClick={() => onChoice({ chain: '', kind: '', result: '', since: '', until: '' })}>
          {text.clear}
        </button>
      )}
    </div>
  )
}
