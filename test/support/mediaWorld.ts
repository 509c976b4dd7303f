import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limits } from '../../src/engine/limits/limits.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { type LoggedGateway, startLoggedGateway } from './gatewayLog.ts'
import { type Internet, type InternetOptions, startInternet } from './internet.ts'
import type { Data } from './world.ts'

export interface MediaWorldOptions extends InternetOptions {
  readonly limits?: Partial<Limits>
  readonly gateway?: Partial<GatewayOptions>
  /** The URI of an NFT by its token id. By default both are the same, so that a test needs no list of NFTs. */
  readonly uriOf?: (tokenId: string) => string
}

/** A gateway that reads media, over a stand-in of an indexer and one of all hosts on the internet. */
export interface MediaWorld extends AsyncDisposable, LoggedGateway, Omit<Internet, 'connect'> {
  /** What the graph answers of the metadata of an NFT with this URI. */
  metadata(uri: string, headers?: Record<string, string>): Promise<Data>
  /** The URL of the picture of an NFT whose metadata names this URI. */
  imageUrl(uri: string): Promise<string>
  /** The picture of such an NFT, as `/media` serves it. */
  picture(uri: string, init?: RequestInit): Promise<Response>
  /** Requests a path of the gateway. */
  get(path: string, init?: RequestInit): Promise<Response>
}

const collection = `0x${'ab'.repeat(32)}`

/** A `data:` URI of a JSON value. */
export const jsonUri = (value: unknown): string =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`

/** All fields of the metadata. */
const metadataFields = `unavailableReason name description imageUrl animationUrl attributeCount
  attributes { traitType displayType value }`

const query = `query ($uri: String!) { chain(chainId: "a-1") {
  nft(collection: "${collection}", tokenId: $uri) { metadata { ${metadataFields} } }
} }`

/** Starts all of it. */
export async function startMediaWorld(options: MediaWorldOptions = {}): Promise<MediaWorld> {
  const { connect, ...internet } = await startInternet(options)
  const world = await startLoggedGateway(
    answerTokens(options.uriOf ?? ((tokenId) => (tokenId === 'none' ? '' : tokenId))),
    { nftMedia: true, limits: options.limits ?? {}, ...options.gateway },
    { media: connect },
  )
  const { gateway } = world
  const get: MediaWorld['get'] = (path, init) => fetch(new URL(path, gateway.url), init)
  const metadata: MediaWorld['metadata'] = async (uri, headers) => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables: { uri } }),
    })
    const { data, errors } = (await response.json()) as Data
    if (errors) throw new Error(JSON.stringify(errors))
    return data.chain.nft.metadata
  }
  const imageUrl: MediaWorld['imageUrl'] = async (uri) => (await metadata(jsonUri({ image: uri }))).imageUrl
  return {
    ...{ ...world, ...internet, metadata, imageUrl, get },
    picture: async (uri, init) => get(await imageUrl(uri), init),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await internet[Symbol.asyncDispose]()
    },
  }
}

const answerTokens =
  (uriOf: (tokenId: string) => string) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const tokenId = new URL(request.url ?? '', 'http://indexer').searchParams.get('token_id') ?? ''
    const token = {
      collection_addr: collection,
      collection_name: 'All',
      nft: { token_id: tokenId, uri: uriOf(tokenId) },
      height: '1',
      timestamp: '2026-01-01T00:00:00Z',
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ tokens: [token], pagination: { next_key: null, total: '1' } }))
  }

/** The reason that a refused picture has. */
export const reasonOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as Data).errors[0].extensions.reason
