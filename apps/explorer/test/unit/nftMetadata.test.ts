import { expect, test } from 'vitest'
import { findPicture, readMetadata } from '../../src/values/nftMetadata.ts'

const png = 'data:image/png;base64,iVBORw0KGgo='
const inBase64 = (value: unknown) =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`

test('metadata that lies in a URI is read, in base64 and as text', () => {
  const metadata = {
    ...{ name: 'Harbour Cats #2 – ✦', description: 'A cat.', image: png },
    attributes: [{ trait_type: 'Colour', value: 'Dusk' }, { value: 29 }, { trait_type: 'Parts', value: ['x'] }, null],
  }
  const read = {
    ...{ name: 'Harbour Cats #2 – ✦', description: 'A cat.', picture: png },
    traits: [
      ['Colour', 'Dusk'],
      ['', '29'],
    ],
  }
  expect(readMetadata(inBase64(metadata))).toEqual(read)
  expect(readMetadata(`data:application/json;charset=utf-8,${encodeURIComponent(JSON.stringify(metadata))}`)).toEqual(
    read,
  )
})

test.each([
  ['a host', 'https://example.com/1.png'],
  ['a page', 'data:text/html,<script>alert(1)</script>'],
  ['a script', 'javascript:alert(1)'],
  ['a picture of another type', 'data:image/x-icon;base64,AAAA'],
  ['a picture that is too large', `data:image/png;base64,${'A'.repeat(400_001)}`],
  ['a number', 7],
])('%s is no picture', (_, image) => {
  expect(findPicture(image)).toBeUndefined()
  expect(readMetadata(inBase64({ name: 'x', image }))?.picture).toBeUndefined()
})

test('a drawing that stands in the metadata is a picture', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'
  expect(readMetadata(inBase64({ image_data: svg }))?.picture).toBe(`data:image/svg+xml,${encodeURIComponent(svg)}`)
  expect(readMetadata(inBase64({ image_data: '<html></html>' }))?.picture).toBeUndefined()
})

test('a URI can be the picture itself', () => {
  expect(readMetadata(png)).toEqual({ picture: png, traits: [] })
})

test.each([
  'ipfs://bafy/1.json',
  'https://example.com/1.json',
  'data:application/json;base64,!!!',
  'data:application/json,[1]',
  'data:application/json,null',
  'data:application/json,%',
  `data:application/json,{"name":"${'x'.repeat(400_000)}"}`,
  null,
  undefined,
])('no metadata is read of %s', (uri) => {
  expect(readMetadata(uri)).toBeUndefined()
})

test('texts are cut', () => {
  const read = readMetadata(inBase64({ name: 'n'.repeat(999), description: 'd'.repeat(9_999) }))
  expect([read?.name?.length, read?.description?.length]).toEqual([256, 2_000])
})
