import { expect, test } from 'vitest'
import { startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../src/gateway.ts'
import { type Data, everyChain, now, youngChains } from '../../support/world.ts'

test.each(everyChain)('$vm: NFT metadata of the sandbox are read without a network', async (chain) => {
  await using sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
  const unwanted: string[] = []
  await using gateway = await createGateway(
    { chains: sandbox.indexers, nftMetadata: true, isSandbox: true },
    {
      nftMetadata: {
        resolve: async (host) => {
          unwanted.push(host)
          return []
        },
      },
    },
  )
  const query = `query ($chainId: ChainId) { chain(chainId: $chainId) { nftCollections(first: 4) { nodes {
    nfts(first: 20) { nodes { uri metadata { unavailableReason name imageUrl attributes { traitType value } } } }
  } } } }`
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { chainId: chain.chainId } }),
  })
  const { data } = (await response.json()) as Data
  const nfts: Data[] = data.chain.nftCollections.nodes.flatMap(({ nfts }: Data) => nfts.nodes)
  const shown = nfts.filter(({ metadata }) => metadata.imageUrl !== null)
  expect(shown.length).toBeGreaterThan(5)
  for (const { metadata } of shown) {
    expect(metadata.unavailableReason).toBeNull()
    expect(metadata.attributes).toHaveLength(2)
    expect(metadata.imageUrl).toMatch(/^data:image\/png;base64,/)
  }
  const reasons = nfts.map(({ metadata }) => metadata.unavailableReason)
  expect(new Set(reasons)).toEqual(new Set([null, 'NO_URI', 'UNREACHABLE']))
  expect(unwanted).toEqual([])
})
