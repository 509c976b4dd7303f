import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createHmacSha256 } from '../../../src/engine/signing/hmac.ts'

test.each([0, 1, 32, 63, 64, 65, 200])('with a key of %i bytes it is that of Node.js', (length) => {
  const key = randomBytes(length)
  const hmac = createHmacSha256(key)
  for (const data of ['', 'a', 'größer 🜚', 'x'.repeat(500), randomBytes(100)]) {
    for (const head of ['', 'cursor 2\n']) {
      expect(hmac(head, data)).toEqual(createHmac('sha256', key).update(head).update(data).digest())
    }
  }
})
