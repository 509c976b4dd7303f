import { expect, test } from 'vitest'
import { readMetadata } from '../../../src/engine/media/metadata.ts'
import { answering, png } from '../../support/internet.ts'
import { jsonUri, reasonOf, startMediaWorld } from '../../support/mediaWorld.ts'
import type { Data } from '../../support/world.ts'

test('with NFT media off, nothing is fetched and metadata are MEDIA_OFF', async () => {
  await using world = await startMediaWorld({ gateway: { nftMedia: false } })
  const absent = {
    ...{ name: null, description: null, imageUrl: null, animationUrl: null },
    ...{ attributes: null, attributeCount: null },
  }
  for (const uri of ['https://public.example/a', jsonUri({ name: 'Mine' })]) {
    expect(await world.metadata(uri)).toEqual({ unavailableReason: 'MEDIA_OFF', ...absent })
  }
  const response = await world.get('/media/abc/def')
  expect(response.status).toBe(404)
  expect(world.resolved).toEqual([])
  expect([...world.gateway.shared.cache.regions.keys()]).not.toContain('media')
  expect(world.gateway.shared.media).toBeUndefined()
})

test('an NFT without a URI has the unavailableReason NO_URI', async () => {
  await using world = await startMediaWorld()
  expect(await world.metadata('none')).toMatchObject({ unavailableReason: 'NO_URI', name: null })
})

test('metadata and pictures on IPFS are fetched once through the IPFS gateway', async () => {
  await using world = await startMediaWorld({
    gateway: { nftIpfsGateway: 'https://ipfs.example/ipfs', nftMediaUrl: 'https://graph.example/' },
    host({ url }, response) {
      if (url === '/ipfs/cid/1.json') {
        response.end(JSON.stringify({ name: 'One', image: 'ipfs://cid/1.png' }))
      } else response.end(png)
    },
  })
  for (let count = 0; count < 2; count += 1) {
    const { name, imageUrl, animationUrl } = await world.metadata('ipfs://cid/1.json')
    expect([name, animationUrl]).toEqual(['One', null])
    expect(imageUrl).toMatch(/^https:\/\/graph\.example\/media\/[\w-]{22}\/[\w-]+$/)
    const response = await world.get(new URL(imageUrl).pathname)
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true)
  }
  expect(world.asked.map(({ headers, url }) => headers.host + (url ?? ''))).toEqual([
    'ipfs.example/ipfs/cid/1.json',
    'ipfs.example/ipfs/cid/1.png',
  ])
})

test('a picture in a data: URI of metadata has a short imageUrl', async () => {
  const image = `data:image/png;base64,${Buffer.concat([png, Buffer.alloc(20_000)]).toString('base64')}`
  await using world = await startMediaWorld({ host: answering(JSON.stringify({ image })) })
  const { imageUrl } = await world.metadata('https://public.example/1.json')
  expect(imageUrl.length).toBeLessThan(200)
  const response = await world.get(imageUrl)
  expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([200, png.length + 20_000])
  expect(world.asked).toHaveLength(1)
  // If neither has a URI that fits in a path, there is none.
  const metadata = readMetadata(Buffer.from(JSON.stringify({ image })))
  const { media } = world.gateway.shared
  expect(media?.urlOf('imageOf', jsonUri({ image }), metadata)).toBeNull()
})

test('an NFT of ERC-1155 has its id in its URI, and in those of its metadata', async () => {
  const digits = '4cce0'.padStart(64, '0')
  await using world = await startMediaWorld({
    uriOf: () => 'https://game.example/{id}.json',
    host: ({ url }, response) => void response.end(url?.endsWith('.json') ? '{"image":"pictures/{id}.png"}' : png),
  })
  const { imageUrl } = await world.metadata('314592')
  expect((await world.get(imageUrl)).status).toBe(200)
  expect(world.asked.map(({ headers, url }) => headers.host + (url ?? ''))).toEqual([
    `game.example/${digits}.json`,
    `game.example/pictures/${digits}.png`,
  ])
})

test('a picture with an unsupported scheme has no imageUrl', async () => {
  await using world = await startMediaWorld()
  for (const uri of ['javascript:alert(1)', 'blob:https://a.example/1', '1.png', '', 'http://a:b@c/']) {
    expect([uri, await world.imageUrl(uri)]).toEqual([uri, null])
  }
})

test('a cached picture gets status 304, and HEAD gets no body', async () => {
  await using world = await startMediaWorld({ host: answering(png) })
  const path = await world.imageUrl('https://public.example/a')
  const first = await world.get(path)
  const etag = first.headers.get('etag') ?? ''
  await first.arrayBuffer()
  const second = await world.get(path, { headers: { 'if-none-match': etag } })
  expect([second.status, (await second.arrayBuffer()).byteLength]).toEqual([304, 0])
  const head = await world.get(path, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(png.length)])
  const post = await world.get(path, { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  await post.arrayBuffer()
})

test('a failed host gives an error with a code for its picture', async () => {
  await using world = await startMediaWorld({ host: answering('gone', {}, 410) })
  const response = await world.picture('https://public.example/a')
  expect([response.status, await reasonOf(response)]).toEqual([502, 'REJECTED'])
})

test('a request for metadata counts as an upstream request of the operation', async () => {
  await using world = await startMediaWorld({
    host: answering('{}'),
    limits: { maxRequestsPerOperation: 10 },
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
  await using world = await startMediaWorld({ host: answering('{}') })
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

test('metrics count media requests by outcome', async () => {
  await using world = await startMediaWorld({
    host: ({ url }, response) => void response.end(url === '/1' ? '{}' : 'no JSON'),
  })
  for (const name of [1, 2, 1]) await world.metadata(`http://public.example/${name}`)
  const text = await (await fetch(world.gateway.metricsUrl)).text()
  expect(text).toContain('portolan_media_fetches_total{outcome="OK"} 1')
  expect(text).toContain('portolan_media_fetches_total{outcome="INVALID"} 1')
  expect(text).toContain('portolan_cache_bytes{cache="media"}')
})
