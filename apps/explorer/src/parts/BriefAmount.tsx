import { useState } from 'preact/hooks'
import { text } from '../text.ts'
import { brief, exact } from '../values/format.ts'

/** Characters of an amount that a phone shows on one line. */
const oneLine = 14

/** An amount on one line. If that cuts it, a press shows all of its digits, which its name and title have too. */
export function BriefAmount({ value }: { value: string }) {
  const [isWhole, setWhole] = useState(false)
  const whole = exact(value)
  const short = brief(value)
  if (whole.length <= oneLine || short === whole) return <>{whole}</>
  return (
    <button
      type="button"
      class="brief"
      title={whole}
      aria-label={isWhole ? whole : text.allDigits(short, whole)}
      aria-expanded={isWhole}
      onClick={() => setWhole(!isWhole)}
    >
      {isWhole ? whole : short}
    </button>
  )
}
