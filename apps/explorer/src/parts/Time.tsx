import { useTimes } from '../app/TimesContext.tsx'
import { useAge } from '../app/useNow.tsx'
import { ago, localDate, localTime, utcTime } from '../values/format.ts'
import { NoValue } from './NoValue.tsx'

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
  if (!value) return <NoValue />
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
