import type { ComponentChildren } from 'preact'
import { useTimes } from '../app/TimesContext.tsx'
import { text } from '../text.ts'

/** The heads of columns, those of numbers apart. */
type Heads = readonly (string | { readonly number: string })[]

/** A table with a caption for those who cannot see it. Numbers stand at the right. */
export function Table({
  caption,
  heads,
  isLong = false,
  isStacked = false,
  isCompact = false,
  isCut = false,
  children,
}: {
  caption: string
  heads: Heads
  /** Whether its children are row groups. Its columns are then those of the activity, as wide as the style says. */
  isLong?: boolean
  /** Whether each row takes several lines where the screen is narrow. */
  isStacked?: boolean
  /** Whether its first column gives way, and its texts take one line each. */
  isCompact?: boolean
  /** Whether a narrow screen shows its first rows alone. */
  isCut?: boolean
  children: ComponentChildren
}) {
  const names = [isLong && 'long', isStacked && 'stacked', isCompact && 'compact', isCut && 'cut']
    .filter(Boolean)
    .join(' ')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls a wide table
    <section class="scroll" tabIndex={0} aria-label={`${text.table}: ${caption}`}>
      <table class={names || undefined} style={isStacked ? headWords(heads) : undefined}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) =>
              head === text.age ? (
                <TimesHead key={head} />
              ) : typeof head === 'string' ? (
                <th scope="col" key={head}>
                  {head}
                </th>
              ) : (
                <th scope="col" key={head.number} class="number">
                  {head.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        {isLong ? children : <tbody>{children}</tbody>}
      </table>
    </section>
  )
}

/** The heads as words of the style sheet, by the number of their column. A phone has no room for the block. */
const headWords = (heads: Heads): Record<string, string> =>
  Object.fromEntries(
    heads.map((head, index) => {
      const words = typeof head === 'string' ? head : head.number
      return [`--head-${index + 1}`, JSON.stringify(words === text.hashAndBlock ? text.hash : words)]
    }),
  )

/** The head of a column of times. A press shows dates in place of ages on all pages, or ages again. */
function TimesHead() {
  const { as, toggle } = useTimes()
  return (
    <th scope="col" class="times">
      <button type="button" title={text.timesAs[as]} onClick={toggle}>
        {as === 'ages' ? text.age : text.date}
      </button>
    </th>
  )
}
