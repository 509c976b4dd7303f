/** What the metadata of an NFT says, as far as it is shown. Anybody can have written it. */
export interface Metadata {
  readonly name?: string | undefined
  readonly description?: string | undefined
  /** The picture as a `data:` URI, for an `<img>` alone: there, an SVG runs no script and loads nothing. */
  readonly picture?: string | undefined
  readonly traits: readonly (readonly [type: string, value: string])[]
}

/** Characters of a URI, and of a picture in it, beyond which it is left alone. */
const maxUri = 400_000
const maxName = 256
const maxText = 2_000
const maxTraits = 50

const pictureType = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i

/** A picture that lies in its own URI: of a kind that browsers draw and nothing else, and not too large. */
export const findPicture = (uri: unknown): string | undefined =>
  typeof uri === 'string' && uri.length <= maxUri && pictureType.test(uri) ? uri : undefined

/** Reads metadata that lies in the URI itself. Undefined for a URI that leads elsewhere, and for what is no metadata. */
export function readMetadata(uri: string | null | undefined): Metadata | undefined {
  if (!uri || uri.length > maxUri) return undefined
  const picture = findPicture(uri)
  if (picture) return { picture, traits: [] }
  const json = decode(uri)
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined
  const { name, description, image, image_data: drawing, attributes } = json as Record<string, unknown>
  return {
    name: textOf(name, maxName),
    description: textOf(description, maxText),
    picture: findPicture(image) ?? findPicture(drawing) ?? findPicture(pictureOf(drawing)),
    traits: Array.isArray(attributes) ? attributes.slice(0, maxTraits).flatMap(traitOf) : [],
  }
}

function decode(uri: string): unknown {
  const [, parameters = '', data] = /^data:application\/json((?:;[^,;]*)*),(.*)$/is.exec(uri) ?? []
  if (data === undefined) return undefined
  try {
    return JSON.parse(/;base64$/i.test(parameters) ? utf8Of(atob(data)) : decodeURIComponent(data))
  } catch {
    return undefined
  }
}

const utf8Of = (bytes: string): string =>
  new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))

/** The URI of a drawing that stands in the metadata as text. */
const pictureOf = (drawing: unknown): string | undefined =>
  typeof drawing === 'string' && /^\s*<(?:svg|\?xml)\b/i.test(drawing)
    ? `data:image/svg+xml,${encodeURIComponent(drawing)}`
    : undefined

const textOf = (value: unknown, most: number): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, most) : undefined

function traitOf(trait: unknown): readonly (readonly [string, string])[] {
  const { trait_type: type, value } = (trait ?? {}) as Record<string, unknown>
  if (!['string', 'number', 'boolean'].includes(typeof value)) return []
  return [[textOf(type, maxName) ?? '', String(value).slice(0, maxName)]]
}
