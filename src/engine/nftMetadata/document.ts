import { z } from 'zod'
import { isLongNumber, parseJson } from '../wire/exactJson.ts'
import { shownLine, shownLines } from '../wire/shownText.ts'
import { MetadataError } from './fault.ts'

/** A trait of an NFT, as its metadata states it. */
export interface NftAttribute {
  readonly traitType: string | null
  readonly displayType: string | null
  readonly value: string
}

/** The metadata of an NFT. Anybody can have written it. */
export interface Metadata {
  readonly name: string | null
  readonly description: string | null
  /** URIs as they are written, of any scheme. */
  readonly image: string | null
  readonly animation: string | null
  readonly attributes: readonly NftAttribute[]
  /** Number of attributes in the document. `attributes` has at most the first `maxAttributes`. */
  readonly attributeCount: number
}

/** The deepest nesting of metadata. */
const maxDepth = 32
/** The longest texts, in UTF-16 code units. A longer one is cut, and ends with `…`. */
const maxName = 256
const maxDescription = 10_000
const maxAttributeText = 256
const maxAttributes = 100

const anyText = z.string().nullish().catch(null)

const attribute = z.object({ trait_type: anyText, display_type: anyText, value: z.unknown() })

// The names of OpenSea, which ERC-721, CW-721 and Move collections use, and the usual spellings beside them.
const document = z.object({
  name: anyText,
  description: anyText,
  image: anyText,
  image_url: anyText,
  imageUrl: anyText,
  animation_url: anyText,
  attributes: z.array(z.unknown()).nullish().catch(null),
})

/** Reads metadata. A value of an unexpected type counts as absent. Throws `MetadataError` if the text is no metadata. */
export function readMetadata(bytes: Buffer): Metadata {
  const fields = document.safeParse(parsed(bytes))
  if (!fields.success) throw new MetadataError('INVALID')
  const { name, description, image, image_url, imageUrl, animation_url, attributes } = fields.data
  const all = attributes ?? []
  return {
    name: shownLine(name, maxName),
    description: shownLines(description, maxDescription),
    image: image?.trim() || image_url?.trim() || imageUrl?.trim() || null,
    animation: animation_url?.trim() || null,
    attributes: all.slice(0, maxAttributes).flatMap(readAttribute),
    attributeCount: all.length,
  }
}

function parsed(bytes: Buffer): unknown {
  const text = new TextDecoder().decode(bytes)
  if (measureDepth(text) > maxDepth) throw new MetadataError('INVALID')
  try {
    return parseJson(text)
  } catch (error) {
    throw new MetadataError('INVALID', { cause: error })
  }
}

/** The deepest nesting of a JSON text, found without parsing it. */
function measureDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (isInString && character === '\\') at += 1
    else if (character === '"') isInString = !isInString
    else if (isInString) continue
    else if (character === '[' || character === '{') {
      depth += 1
      deepest = Math.max(deepest, depth)
    } else if (character === ']' || character === '}') depth -= 1
  }
  return deepest
}

function readAttribute(entry: unknown): NftAttribute[] {
  const { data } = attribute.safeParse(entry)
  const value = data && shownLine(scalarText(data.value), maxAttributeText)
  if (!data || value === null || value === undefined) return []
  return [
    {
      traitType: shownLine(data.trait_type, maxAttributeText),
      displayType: shownLine(data.display_type, maxAttributeText),
      value,
    },
  ]
}

function scalarText(value: unknown): string | undefined {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value) || isLongNumber(value)
  return isScalar ? String(value) : undefined
}
