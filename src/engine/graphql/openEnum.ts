import { ifReadable, type Optional } from '../wire/optional.ts'
import { builder } from './builder.ts'

interface OpenEnum<Name extends string> {
  readonly description: string
  readonly values: Readonly<Record<Name, string>>
  /** The description of `UNKNOWN`. */
  readonly unknown: string
  /** The name of a value by the upstream's word. Default: the word itself. */
  readonly nameOf?: (word: string) => string | undefined
}

/** An enum of an upstream that may add values. `UNKNOWN` stands for each value that the gateway does not know. */
export function openEnum<Name extends string>(
  typeName: string,
  { description, values, unknown, nameOf = (word) => word }: OpenEnum<Name>,
) {
  const isKnown = (name: string | undefined): name is Name => name !== undefined && Object.hasOwn(values, name)
  const described = Object.entries<string>({ ...values, UNKNOWN: unknown }).map(
    ([name, text]) => [name, { value: name as Name | 'UNKNOWN', description: text }] as const,
  )
  return {
    type: builder.enumType(typeName, { description, values: Object.fromEntries(described) }),
    /** The value for the upstream's word. */
    valueOf(sent: Optional<string>): Name | 'UNKNOWN' {
      const word = ifReadable(sent)
      const name = word === null ? undefined : nameOf(word)
      return isKnown(name) ? name : 'UNKNOWN'
    },
  }
}
