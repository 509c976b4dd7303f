import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { MediaError, type MediaFault, mediaFaults } from '../../../engine/media/fault.ts'
import type { Media } from '../../../engine/media/media.ts'
import type { Metadata, NftAttribute } from '../../../engine/media/metadata.ts'
import { Nft } from './nft.ts'
import { withTokenId } from './tokenUri.ts'
import type { TokenRecord } from './wire.ts'

/** The metadata at a URI, or why there is none. */
type MetadataShape =
  | { readonly fault: MediaFault }
  | { readonly uri: string; readonly media: Media; readonly metadata: Metadata }

const Fault = builder.enumType('NftMetadataFault', {
  description: 'Why the metadata of an NFT cannot be read.',
  values: Object.fromEntries(
    Object.entries(mediaFaults)
      // These are said of pictures, where they are served.
      .filter(([fault]) => fault !== 'SVG' && fault !== 'NOT_AN_IMAGE')
      .map(([fault, description]) => [fault, { description }]),
  ) as Record<MediaFault, { readonly description: string }>,
})

const Attribute = builder.objectRef<NftAttribute>('NftAttribute').implement({
  description: 'A trait of an NFT, as its metadata states it.',
  fields: (t) => ({
    traitType: t.nullable(
      'String',
      'The kind of trait. Null if the metadata gives none.',
      ({ traitType }) => traitType,
    ),
    displayType: t.nullable(
      'String',
      'How the value is meant, such as `date` or `boost_percentage`. Mostly null.',
      ({ displayType }) => displayType,
    ),
    value: t.value('String', 'The value as text, whatever its type. At most 256 characters.', ({ value }) => value),
  }),
})

const metadataOf = (shape: MetadataShape): Metadata | undefined => ('metadata' in shape ? shape.metadata : undefined)

const urlOf = (shape: MetadataShape, kind: 'imageOf' | 'animationOf'): string | null =>
  'metadata' in shape ? shape.media.urlOf(kind, shape.uri, shape.metadata) : null

const NftMetadata = builder.objectRef<MetadataShape>('NftMetadata').implement({
  description:
    'Metadata of an NFT, written by anybody. Missing fields are null, and all are with an `unavailableReason`.',
  fields: (t) => ({
    unavailableReason: t.nullable(Fault, 'Why the metadata cannot be read. Null if it was.', (shape) =>
      'fault' in shape ? shape.fault : null,
    ),
    name: t.nullable(
      'String',
      'The name on one line. Cut with … at 256 characters.',
      (shape) => metadataOf(shape)?.name ?? null,
    ),
    description: t.nullable(
      'String',
      'The description: show it as text, not HTML. Cut with … at 10,000 characters.',
      (shape) => metadataOf(shape)?.description ?? null,
    ),
    imageUrl: t.nullable(
      'URL',
      'Path or URL where the gateway serves the picture, as PNG, JPEG, GIF, WebP or AVIF. Null if none can be fetched.',
      (shape) => urlOf(shape, 'imageOf'),
    ),
    animationUrl: t.nullable(
      'URL',
      'The same for the animation. Only animated images are served: videos and pages are refused.',
      (shape) => urlOf(shape, 'animationOf'),
    ),
    attributes: t.nullable(
      [Attribute],
      'The first 100 attributes that have a text, number or Boolean as value.',
      (shape) => metadataOf(shape)?.attributes ?? null,
    ),
    attributeCount: t.nullable(
      'UInt53',
      'Number of attributes in the metadata.',
      (shape) => metadataOf(shape)?.attributeCount ?? null,
    ),
  }),
})

/** Only what limits the operation is an error: that a stranger's host fails is no fault of the answer. */
async function loadMetadata(
  { nft: { uri: written, token_id } }: TokenRecord,
  { media, scope }: Context,
): Promise<MetadataShape> {
  if (!media) return { fault: 'MEDIA_OFF' }
  const ofToken = (uri: string) => withTokenId(uri, token_id)
  const uri = ofToken(written)
  if (uri === '') return { fault: 'NO_URI' }
  try {
    const metadata = await scope.read((reader) => media.metadata(uri, reader))
    const { image, animation } = metadata
    const own = { image: image && ofToken(image), animation: animation && ofToken(animation) }
    return { uri, media, metadata: { ...metadata, ...own } }
  } catch (error) {
    if (error instanceof MediaError) return { fault: error.fault }
    throw error
  }
}

builder.objectField(Nft, 'metadata', (t) =>
  t.field({
    type: NftMetadata,
    nullable: true,
    description:
      'The content of `uri`, if the gateway fetches it: see `unavailableReason`. Null only for an error of the operation.',
    complexity: callCost,
    resolve: ({ record }, _args, context) => loadMetadata(record, context),
  }),
)
