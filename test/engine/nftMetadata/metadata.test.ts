import { expect, test } from 'vitest'
import { answering } from '../../support/internet.ts'
import { jsonUri, startNftWorld } from '../../support/nftWorld.ts'
import type { Data } from '../../support/world.ts'

test('with NFT_METADATA off, nothing is fetched and metadata are MEDIA_OFF', async () => {
  await using world = await startNftWorld({ gateway: { nftMetadata: false } })
  const absent = {
    ...{ name: null, description: null, imageUrl: null, imageUri: null, animationUrl: null, animationUri: null },
    ...{ attributes: null, attributeCount: null },
  }
  for (const uri of ['https://public.example/a', jsonUri({ name: 'Mine' })]) {
    expect(await world.metadata(uri)).toEqual({ unavailableReason: 'MEDIA_OFF', ...absent })
  }
  expect(world.resolved).toEqual([])
  expect([...world.gateway.shared.cache.regions.keys()]).not.toContain('nftMetadata')
  expect(world.gateway.shared.nftMetadata).toBeUndefined()
})

test('an NFT without a URI has the unavailableReason NO_URI', async () => {
  await using world = await startNftWorld()
  expect(await world.metadata('none')).toMatchObject({ unavailableReason: 'NO_URI', name: null })
})

test('metadata on IPFS are fetched once through the IPFS gateway', async () => {
  await using world = await startNftWorld({
    gateway: { nftIpfsGateway: 'https://ipfs.example/ipfs', nftPictureUrl: 'https://img.example/plain/{url}@webp' },
    host: answering('{"name":"One","image":"ipfs://cid/1 b.png"}'),
  })
  for (let count = 0; count < 2; count += 1) {
    expect(await world.metadata('ipfs://cid/1.json')).toMatchObject({
      ...{ name: 'One', imageUri: 'ipfs://cid/1 b.png', animationUri: null, animationUrl: null },
      imageUrl: 'https://img.example/plain/https%3A%2F%2Fipfs.example%2Fipfs%2Fcid%2F1%2520b.png@webp',
    })
  }
  expect(world.asked.map(({ headers, url }) => headers.host + (url ?? ''))).toEqual(['ipfs.example/ipfs/cid/1.json'])
})

test('without a proxy for pictures, only a picture that the metadata contain has an imageUrl', async () => {
  await using world = await startNftWorld()
  for (const [uri, imageUrl] of [
    ['https://public.example/1.png', null],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
    ['data:text/html,<script>alert(1)</script>', null],
  ]) {
    expect(await world.metadata(jsonUri({ image: uri }))).toMatchObject({ imageUri: uri, imageUrl })
  }
})

test('an NFT of ERC-1155 has its id in its URI, and in those of its metadata', async () => {
  const digits = '4cce0'.padStart(64, '0')
  await using world = await startNftWorld({
    uriOf: () => 'https://game.example/{id}.json',
    host: answering('{"image":"pictures/{id}.png"}'),
  })
  const { imageUri } = await world.metadata('314592')
  expect(imageUri).toBe(`https://game.example/pictures/${digits}.png`)
  expect(world.asked.map(({ headers, url }) => headers.host + (url ?? ''))).toEqual([`game.example/${digits}.json`])
})

test.each(['javascript:alert(1)', 'blob:https://a.example/1', '1.png', 'http://a:b@c/', 'data:text/html,a'])(
  'a picture at %s has no imageUrl',
  async (uri) => {
    await using world = await startNftWorld({ gateway: { nftPictureUrl: 'https://img.example/{url}' } })
    expect(await world.metadata(jsonUri({ image: uri }))).toMatchObject({ imageUri: uri, imageUrl: null })
  },
)

test('a request for metadata counts as an upstream request of the operation', async () => {
  await using world = await startNftWorld({
    host: answering('{}'),
    limits: { maxCost: 200 },
  })
  const fields = Array.from(
    { length: 12 },
    (_, index) =>
      `a${index}: nft(chainId: "a-1", collection: "0x${'ab'.repeat(32)}", tokenId: "http://a.example/${index}") { metadata { name } }`,
  )
  const response = await fetch(world.gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: `{ ${fields.join(' ')} }` }),
  })
  const { errors } = (await response.json()) as Data
  expect(errors[0].extensions.code).toBe('QUERY_TOO_COMPLEX')
  expect(world.asked.length + world.received.length).toBeLessThanOrEqual(10)
})

test('metadata cost as much as an upstream request, plus a point a field', async () => {
  await using world = await startNftWorld({ host: answering('{}') })
  const cost = async (fields: string) => {
    const response = await fetch(world.gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'graphql-cost-debug': '1' },
      body: JSON.stringify({
        query: `{ chain(chainId: "a-1") { nftCollections(first: 10) { nodes { nfts(first: 10) { nodes { ${fields} } } } } } }`,
      }),
    })
    const { extensions } = (await response.json()) as Data
    return extensions.cost.points
  }
  expect((await cost('tokenId metadata { name }')) - (await cost('tokenId'))).toBe(100 * (5 + 1))
})
