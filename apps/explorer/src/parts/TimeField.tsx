import { text } from '../text.ts'
import { fieldTime, utcOf, zoneName } from '../values/format.ts'

/** A field for a time in the zone of the reader, which stands beside it. Its value is in UTC. */
export const TimeField = ({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) => (
  <label title={text.zone(zoneName(value))}>
    {label}{' '}
    <input
      type="datetime-local"
      value={fieldTime(value)}
      onChange={({ currentTarget: { value } }) => onChange(utcOf(value))}
    />{' '}
    <small>{zoneName(value)}</small>
  </label>
)
