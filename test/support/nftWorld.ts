import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Limits } from '../../src/engine/limits/limits.ts'
import type { GatewayOptions } from '../../src/gateway.ts'
import { type LoggedGateway, startLoggedGateway } from './gatewayLog.ts'
import { type Internet, type InternetOptions, startInternet } from './internet.ts'
import type { Data } from './world.ts'

export interface NftWorldOptions extends InternetOptions {
  readonly limits?: Partial<Limits>
  readonly gateway?: Partial<GatewayOptions>
  /** The URI of an NFT by its token id. By default both are the same, so that a test needs no list of NFTs. */
  readonly uriOf?: (tokenId: string) => string
}

/** A gateway that reads metadata, over a stand-in of an indexer and one of all hosts on the internet. */
export interface NftWorld extends AsyncDisposable, LoggedGateway, Omit<Internet, 'connect'> {
  /** What the graph answers of the metadata of an NFT with this URI. */
  metadata(uri: string, headers?: Record<string, string>, signal?: AbortSignal): Promise<Data>
}

const collection = `0x${'ab'.repeat(32)}`

/** A `data:` URI of a JSON value. */
export const jsonUri = (value: unknown): string =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`

/** All fields of the metadata. */
const metadataFields = `unavailableReason name description imageUrl imageUri animationUrl animationUri attributeCount
  attributes { traitType displayType value }`

const query = `query ($uri: String!) { chain(chainId: "a-1") {
  nft(collection: "${collection}", tokenId: $uri) { metadata { ${metadataFields} } }
} }`

/** Starts all of it. */
export async function startNftWorld(options: NftWorldOptions = {}): Promise<NftWorld> {
  const { connect, ...internet } = await startInternet(options)
  const world = await startLoggedGateway(
    answerTokens(options.uriOf ?? ((tokenId) => (tokenId === 'none' ? '' : tokenId))),
    { nftMetadata: true, limits: options.limits ?? {}, ...options.gateway },
    { nftMetadata: connect },
  )
  const { gateway } = world
  const metadata: NftWorld['metadata'] = async (uri, headers, signal) => {
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables: { uri } }),
      ...(signal && { signal }),
    })
    const { data, errors } = (await response.json()) as Data
    if (errors) throw new Error(JSON.stringify(errors))
    return data.chain.nft.metadata
  }
  return {
    ...{ ...world, ...internet, metadata },
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
