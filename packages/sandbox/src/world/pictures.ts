import { crc32, deflateSync } from 'node:zlib'
import { hexDigest, pick } from '../random.ts'

const palette: readonly (readonly [name: string, ink: string, paper: string])[] = [
  ['Deep sea', '0b3954', 'bfd7ea'],
  ['Coral', 'ff6663', 'fef9ef'],
  ['Kelp', '2d6a4f', 'd8f3dc'],
  ['Dusk', '5a189a', 'e0aaff'],
  ['Sand', '7f5539', 'ede0d4'],
]

/** Squares in each row of a picture, and pixels in each row of a square. */
const squares = 8
const scale = 6

/** A `data:` URI of metadata with a picture in it: both differ by the seed. */
export function metadataUri(name: string, seed: string): string {
  const [colour, ink, paper] = palette[pick(palette.length, seed, 'colour')] ?? ['', '', '']
  const metadata = {
    name,
    description: `A picture of the sandbox.\nIt shows ${squares} by ${squares} squares, mirrored.`,
    image: `data:image/png;base64,${png(seed, ink, paper).toString('base64')}`,
    attributes: [
      { trait_type: 'Colour', value: colour },
      { trait_type: 'Knots', display_type: 'number', value: pick(40, seed, 'knots') },
    ],
  }
  return `data:application/json;base64,${Buffer.from(JSON.stringify(metadata)).toString('base64')}`
}

/** A picture of two colours: PNG with a palette and one bit a pixel (PNG specification, 11.2). */
function png(seed: string, ink: string, paper: string): Buffer {
  const bits = BigInt(`0x${hexDigest(squares, seed, 'squares')}`)
  const size = squares * scale
  const rows = Array.from({ length: squares }, (_, y) => {
    const row = Buffer.alloc(1 + size / 8)
    for (let column = 0; column < squares; column += 1) {
      // The right half mirrors the left one.
      const place = y * 4 + Math.min(column, squares - 1 - column)
      if (((bits >> BigInt(place)) & 1n) === 0n) continue
      for (let x = column * scale; x < (column + 1) * scale; x += 1)
        row[1 + (x >> 3)] = (row[1 + (x >> 3)] ?? 0) | (128 >> (x & 7))
    }
    return row
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(size, 0)
  head.writeUInt32BE(size, 4)
  head.set([1, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(paper + ink, 'hex')),
    chunk('IDAT', deflateSync(Buffer.concat(rows.flatMap((row) => Array(scale).fill(row))))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8 + body.length)
  frame.writeUInt32BE(data.length, 0)
  frame.set(body, 4)
  frame.writeUInt32BE(crc32(body), 4 + body.length)
  return frame
}
