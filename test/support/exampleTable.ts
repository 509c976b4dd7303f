import { type Example, readExample } from './examples.ts'

/** What one example cost when it ran. */
export interface Cost {
  readonly name: string
  /** Upstream requests if nothing is cached. */
  readonly first: number
  /** Those of another user, ten seconds later. */
  readonly next: number
}

/** What one polled screen, or several at once, cost in a minute: polled, and watched. */
export interface LiveCost {
  /** Names of the examples. */
  readonly names: readonly string[]
  readonly viewers: Readonly<Record<'one' | 'many', { readonly today: number; readonly here: number }>>
}

const linkOf = ({ title, name }: Example) => `[${title}](../examples/documents/${name}.graphql)`

const rowOf = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** A number with a comma every three digits. */
const digits = (value: number) => value.toLocaleString('en-US')

/** The table of screens that are loaded once. */
export function costTable(costs: readonly Cost[]): string {
  const rows = costs.map(({ name, first, next }) => {
    const example = readExample(name)
    return rowOf(linkOf(example), `${example.today}: ${example.counted}`, first, next)
  })
  return [
    rowOf('Screen', 'REST requests of a frontend today', 'Here', 'Next user here'),
    '|---|---|--:|--:|',
    ...rows,
  ].join('\n')
}

/** The table of screens that are polled: first what a page sends, then what the services get. */
export function liveTable(costs: readonly LiveCost[], viewers: number): string {
  const rows = costs.map(({ names, viewers: { one, many } }) => {
    const [first = ''] = names
    const figures = [one.today, names.length, one.here, many.today, many.here]
    return rowOf(
      names.length === 1 ? linkOf(readExample(first)) : `The first ${names.length} at once`,
      ...figures.map(digits),
    )
  })
  const services = [`1 subscribes`, `${viewers} poll`, `${viewers} subscribe`]
  return [
    rowOf(...['Screen', 'Your page polls', 'Your page subscribes'], ...services.map((who) => `Services, if ${who}`)),
    '|---|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n')
}
