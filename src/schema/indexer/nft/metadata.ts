import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import type { Metadata, NftAttribute } from '../../../engine/nftMetadata/document.ts'
import { MetadataError, type MetadataFault, metadataFaults } from '../../../engine/nftMetadata/fault.ts'
import { Nft } from './nft.ts'
import { withTokenId } from './tokenUri.ts'
import type { TokenRecord } from './wire.ts'

/** The metadata at a URI, or why there is none. */
type MetadataShape =
  | { readonly fault: MetadataFault }
  | { readonly metadata: Metadata; readonly pictureUrl: (uri: string) => string | null }

const Fault = builder.enumType('NftMetadataFault', {
  description: 'Why the metadata of an NFT cannot be read.',
  values: Object.fromEntries(
    Object.entries(metadataFaults).map(([fault, description]) => [fault, { description }]),
  ) as Record<MetadataFault, { readonly description: string }>,
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

function urlOf(shape: MetadataShape, kind: 'image' | 'animation'): string | null {
  const uri = metadataOf(shape)?.[kind]
  return 'pictureUrl' in shape && uri ? shape.pictureUrl(uri) : null
}

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
      'URL of the picture at the proxy for pictures, or a `data:` URI of it. Null without such a proxy: see `imageUri`.',
      (shape) => urlOf(shape, 'image'),
    ),
    imageUri: t.nullable(
      'String',
      'URI of the picture, of any scheme, at any host. Load it through a proxy of your own.',
      (shape) => metadataOf(shape)?.image ?? null,
    ),
    animationUrl: t.nullable(
      'URL',
      'URL of the animation, as `imageUrl` is of the picture. It may also be a video or a page.',
      (shape) => urlOf(shape, 'animation'),
    ),
    animationUri: t.nullable(
      'String',
      'URI of the animation, of any scheme, at any host.',
      (shape) => metadataOf(shape)?.animation ?? null,
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
  { nftMetadata, scope }: Context,
): Promise<MetadataShape> {
  if (!nftMetadata) return { fault: 'MEDIA_OFF' }
  const ofToken = (uri: string) => withTokenId(uri, token_id)
  const uri = ofToken(written)
  if (uri === '') return { fault: 'NO_URI' }
  try {
    const metadata = await scope.read((reader) => nftMetadata.read(uri, reader))
    const { image, animation } = metadata
    const own = { image: image && ofToken(image), animation: animation && ofToken(animation) }
    return { metadata: { ...metadata, ...own }, pictureUrl: nftMetadata.pictureUrl }
  } catch (error) {
    if (error instanceof MetadataError) return { fault: error.fault }
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
