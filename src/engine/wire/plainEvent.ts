import { isUtf8 } from 'node:buffer'

// Nodes before CometBFT 0.37 wrote the keys and values of events in base64. Records that were indexed from them keep it.

interface Attribute {
  readonly key: string
  readonly value: string
}

interface AnyEvent {
  readonly attributes: Attribute[]
}

/**
 * The event with plain attributes. `isCoded` is true if its keys are in base64 and a value is not text in it, so that
 * nothing is decoded. Attributes are decoded only if all keys are names in base64: chains add a key to each
 * event of a contract with the plain name, such as `_contract_address`, so that no contract can make one up.
 */
export function plainEvent<E extends AnyEvent>(event: E): E & { readonly isCoded?: boolean } {
  const { attributes } = event
  if (attributes.length === 0 || !attributes.every(({ key }) => isCodedName(key))) return event
  const values = attributes.map(({ value }) => textIn(value))
  if (values.includes(undefined)) return { ...event, isCoded: true }
  return {
    ...event,
    attributes: attributes.map((attribute, index) => ({
      ...attribute,
      key: textIn(attribute.key) ?? '',
      value: values[index] ?? '',
    })),
  }
}

const isCodedName = (key: string): boolean => key.length % 4 === 0 && /^[a-z_][\w.:/-]*$/i.test(textIn(key) ?? '')

/** The text in base64. Undefined for anything else, such as bytes that are no text. */
function textIn(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64')
  if (!isUtf8(bytes) || bytes.toString('base64') !== base64) return undefined
  const text = bytes.toString()
  return /[^\P{Cc}\t\n\r]/u.test(text) ? undefined : text
}
