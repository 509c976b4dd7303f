/** For each kind of request two numbers, or the same numbers by names such as `flat.files`. */
export type Ways = Readonly<Record<string, { readonly files: number; readonly returns: number }>>

/** What weight.json has. No limit is written in it: it is the least number that a way ever had, and the raises since. */
export interface Weight {
  readonly least: Ways
  readonly raises: readonly { readonly number: string; readonly by: number; readonly why: string }[]
}

/** The numbers of ways by their names, such as `flat.files`. */
export const numbersOf = (ways: Ways): ReadonlyMap<string, number> =>
  new Map(
    Object.entries(ways).flatMap(([kind, numbers]) =>
      Object.entries(numbers).map(([name, number]): [string, number] => [`${kind}.${name}`, number]),
    ),
  )

/** A sentence for each raise that has no number, no size, or no reason of some words. */
export const faultsOf = ({ least, raises }: Weight): readonly string[] =>
  raises.flatMap(({ number, by, why }) => [
    ...(numbersOf(least).has(number) ? [] : [`${number} is no number of weight.json.`]),
    ...(Number.isInteger(by) && by > 0 ? [] : [`${number} is raised by ${by}.`]),
    ...(why.split(' ').length >= 8 ? [] : [`${number} is raised without a reason: "${why}"`]),
  ])

/** The most that each number may be. */
export const limitsOf = ({ least, raises }: Weight): ReadonlyMap<string, number> =>
  new Map(
    [...numbersOf(least)].map(([name, number]) => [
      name,
      raises.reduce((sum, raise) => sum + (raise.number === name ? raise.by : 0), number),
    ]),
  )

/**
 * A sentence for each measured number above its limit. It says what to add to weight.json. How often a way returns depends on the
 * order in which answers arrive, which differs between machines: a tenth above that limit is no growth.
 */
export function tooHeavy(weight: Weight, measured: Ways): readonly string[] {
  const limits = limitsOf(weight)
  return [...numbersOf(measured)].flatMap(([name, number]) => {
    const limit = limits.get(name) ?? 0
    const by = number - limit
    const raise = JSON.stringify({ number: name, by, why: '…' })
    return by > (name.endsWith('.returns') ? limit / 10 : 0)
      ? [`${name} is ${number}. Make it lighter, or add ${raise} to "raises" and say why.`]
      : []
  })
}

/** weight.json after a measurement that is not too heavy: a number below its limit is the least from now on. */
export function lowered(weight: Weight, measured: Ways): Weight {
  const now = numbersOf(measured)
  const limits = limitsOf(weight)
  const isLower = (name: string) => (now.get(name) ?? Number.POSITIVE_INFINITY) < (limits.get(name) ?? 0)
  const least = Object.entries(weight.least).map(([kind, { files, returns }]) => [
    kind,
    {
      files: isLower(`${kind}.files`) ? now.get(`${kind}.files`) : files,
      returns: isLower(`${kind}.returns`) ? now.get(`${kind}.returns`) : returns,
    },
  ])
  return { least: Object.fromEntries(least), raises: weight.raises.filter(({ number }) => !isLower(number)) }
}
