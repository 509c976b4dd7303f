import { describe, expect, test } from 'vitest'
import { readDataUri } from '../../../src/engine/nftMetadata/dataUri.ts'
import { readMetadata } from '../../../src/engine/nftMetadata/document.ts'
import { absoluteUri, parseTarget } from '../../../src/engine/nftMetadata/target.ts'
import { withTokenId } from '../../../src/schema/indexer/nft/tokenUri.ts'

const read = (value: unknown) => readMetadata(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)))

describe('NFT metadata', () => {
  test('are read by the names of the usual standards', () => {
    expect(
      read({
        name: 'Whale #7',
        description: 'One\r\nTwo',
        image_url: ' ipfs://cid/7.png ',
        animation_url: 'https://a.example/7.mp4',
        attributes: [
          { trait_type: 'Sea', value: 'North' },
          { trait_type: 'Level', display_type: 'number', value: 5 },
          { value: true },
          { trait_type: 'Odd', value: { nested: 1 } },
          { trait_type: 'Empty', value: '' },
          'text',
          null,
        ],
      }),
    ).toEqual({
      name: 'Whale #7',
      description: 'One\nTwo',
      image: 'ipfs://cid/7.png',
      animation: 'https://a.example/7.mp4',
      attributes: [
        { traitType: 'Sea', displayType: null, value: 'North' },
        { traitType: 'Level', displayType: 'number', value: '5' },
        { traitType: null, displayType: null, value: 'true' },
      ],
      attributeCount: 7,
    })
  })

  test('keep all digits of numbers', () => {
    const { attributes } = read('{"attributes":[{"value":18446744073709551615},{"value":1.5}]}')
    expect(attributes.map(({ value }) => value)).toEqual(['18446744073709551615', '1.5'])
  })

  test('have no fields of unexpected types', () => {
    expect(read({ name: 5, description: ['a'], image: { url: 'a' }, attributes: { a: 1 } })).toEqual({
      ...{ name: null, description: null, image: null, animation: null },
      ...{ attributes: [], attributeCount: 0 },
    })
  })

  test('lose control characters and marks of direction', () => {
    const { name, description } = read({
      name: '\u0007Safe\u202e gpj.exe\u2066\n\ttwo\u0000\ufeff',
      description: 'a\u001b[31mb\u2028\u200e c\n\nd',
    })
    expect(name).toBe('Safe gpj.exe two')
    expect(description).toBe('a[31mb c\n\nd')
  })

  test('keep joined emoji, and half a surrogate pair is replaced', () => {
    expect(read({ name: '🏴‍☠️ 👩‍🚀' }).name).toBe('🏴‍☠️ 👩‍🚀')
    expect(read('{"name":"a\\ud83d"}').name).toBe('a\ufffd')
  })

  test('have an ellipsis where a long text is cut, and at most 100 attributes', () => {
    const { name, description, attributes, attributeCount } = read({
      name: 'n'.repeat(300),
      description: '🐳'.repeat(20_000),
      attributes: Array.from({ length: 500 }, (_, value) => ({ value: `${value}` })),
    })
    expect([name?.length, name?.at(-1)]).toEqual([256, '…'])
    // A character of two units is not halved.
    expect([description?.length, description?.at(-1)]).toEqual([9_999, '…'])
    expect(description).not.toMatch(/\p{Cs}|\ufffd/u)
    expect([attributes.length, attributeCount]).toEqual([100, 500])
  })

  test.each([
    ['are a list', '[]'],
    ['are a text', '"name"'],
    ['are null', 'null'],
    ['are empty', ''],
    ['are HTML', '<html>'],
    ['are cut off', '{"name":'],
    ['are nested too deeply', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['have objects nested too deeply', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  ])('are refused if they %s', (_name, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ fault: 'INVALID' }))
  })

  test('may have brackets in texts', () => {
    expect(read({ name: '[[[{{{"\\'.repeat(20) }).name).toBe('[[[{{{"\\'.repeat(20))
  })

  test('ignore __proto__ and constructor', () => {
    expect(read('{"__proto__":{"name":"a"},"constructor":1}').name).toBeNull()
  })
})

describe('data: URIs', () => {
  test.each([
    ['data:,a%20b', 'a b'],
    ['data:text/plain;charset=utf-8,ü', 'ü'],
    ['data:text/plain,%c3%bc', 'ü'],
    ['data:text/plain,100%', '100%'],
    ['data:text/plain,%zz%41', '%zzA'],
    ['data:;base64,YWI=', 'ab'],
    ['data:;base64,YWI%3D', 'ab'],
    ['data:;BASE64,YWI', 'ab'],
    ['data:,a,b#c', 'a,b#c'],
    [' data:application/json;utf8,{"a":"%"}', '{"a":"%"}'],
    ['data:application/json;charset=utf-8,%7B%22a%22%3A1%7D', '{"a":1}'],
    ['{"a":"data:,%41"}', '{"a":"data:,%41"}'],
  ])('%s is read', (uri, text) => {
    expect(readDataUri(uri, 100).toString()).toBe(text)
  })

  test.each([
    `data:,${'a'.repeat(11)}`,
    `data:,${'a'.repeat(1_000_000)}`,
    `data:;base64,${Buffer.alloc(11).toString('base64')}`,
    `{"a":"${'a'.repeat(11)}"}`,
  ])('with more bytes than the limit are refused: %#', (uri) => {
    expect(() => readDataUri(uri, 10)).toThrow(expect.objectContaining({ fault: 'TOO_LARGE' }))
  })
})

describe('URIs of other schemes', () => {
  const v0 = `Qm${'a'.repeat(44)}`
  const v1 = `bafybei${'a'.repeat(52)}`
  const gateways = { ipfs: 'https://a.example/ipfs/', arweave: 'https://b.example/' }
  test.each([
    ['ipfs://QmCid/1.json', 'https://a.example/ipfs/QmCid/1.json'],
    ['ipfs://ipfs/QmCid/1.json', 'https://a.example/ipfs/QmCid/1.json'],
    ['IPFS://bafyCid', 'https://a.example/ipfs/bafyCid'],
    ['ipfs://QmCid/Ape #1?.png', 'https://a.example/ipfs/QmCid/Ape%20%231%3F.png'],
    ['ipfs://QmCid/a/../b.png', 'https://a.example/ipfs/QmCid/b.png'],
    ['ipfs:/QmCid/1.json', 'https://a.example/ipfs/QmCid/1.json'],
    ['ipfs://ipfs/ipfs/QmCid', 'https://a.example/ipfs/QmCid'],
    [`${v0}/1.json`, `https://a.example/ipfs/${v0}/1.json`],
    [v1, `https://a.example/ipfs/${v1}`],
    [`/ipfs/${v1}/a b.png`, `https://a.example/ipfs/${v1}/a%20b.png`],
    [`ipfs/${v0}`, `https://a.example/ipfs/${v0}`],
    [`https://cloudflare-ipfs.com/ipfs/${v0}/1.json`, `https://a.example/ipfs/${v0}/1.json`],
    [`https://ipfs.io/ipfs/${v1}?filename=a.png`, `https://a.example/ipfs/${v1}`],
    [`https://${v1}.ipfs.dweb.link/1%20.png#a`, `https://a.example/ipfs/${v1}/1%20.png`],
    [`https://own.example/ipfs/${v0}`, `https://own.example/ipfs/${v0}`],
    [`https://ipfs.io.evil.example/ipfs/${v0}`, `https://ipfs.io.evil.example/ipfs/${v0}`],
    ['ar://abc-_1/x.png', 'https://b.example/abc-_1/x.png'],
    [' https://c.example/a?b=c ', 'https://c.example/a?b=c'],
    ['http://c.example:443/a', 'http://c.example:443/a'],
  ])('%s is fetched from %s', (uri, url) => {
    expect(parseTarget(uri, gateways).href).toBe(url)
  })
})

describe('a URI in metadata', () => {
  test.each([
    ['1.png', 'https://a.example/meta/1.json', 'https://a.example/meta/1.png'],
    ['/1.png', 'https://a.example/meta/1.json', 'https://a.example/1.png'],
    ['../1.png', 'ipfs://QmCid/meta/1.json', 'ipfs://QmCid/1.png'],
    ['../../../1.png', 'ipfs://ipfs/QmCid/meta/1.json', 'ipfs://QmCid/1.png'],
    ['/1.png', 'ipfs://QmCid/meta/1.json', 'ipfs://QmCid/1.png'],
    ['1.png', 'ar://abc-_1/meta/1.json', 'ar://abc-_1/meta/1.png'],
    ['ipfs://QmCid/1.png', 'https://a.example/1.json', 'ipfs://QmCid/1.png'],
    ['data:,a', 'https://a.example/1.json', 'data:,a'],
    ['1.png', 'data:application/json,{}', '1.png'],
    ['1.png', 'nonsense', '1.png'],
  ])('%s in %s is %s', (text, base, uri) => {
    expect(absoluteUri(text, base)).toBe(uri)
  })
})

describe('the id of a token', () => {
  const digits = '000000000000000000000000000000000000000000000000000000000004cce0'
  test.each([
    ['https://game/{id}.json', '314592', `https://game/${digits}.json`],
    ['https://game/%7Bid%7D/{id}', '314592', `https://game/${digits}/${digits}`],
    ['https://game/{id}', String(2n ** 256n - 1n), `https://game/${'f'.repeat(64)}`],
    ['https://game/{id}', String(2n ** 256n), 'https://game/{id}'],
    ['https://game/{id}', 'piece.1', 'https://game/{id}'],
    ['https://game/{ID}?a={b}', '1', `https://game/${'1'.padStart(64, '0')}?a={b}`],
  ])('takes its place in %s', (uri, tokenId, expected) => {
    expect(withTokenId(uri, tokenId)).toBe(expected)
  })
})
