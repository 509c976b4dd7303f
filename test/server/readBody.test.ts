import { EventEmitter } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBody } from '../../src/server/http/readBody.ts'
import { heapInUse } from '../support/heap.ts'

/** A request whose body a test sends in parts. */
function requestOf(headers: Record<string, string> = {}) {
  const request = Object.assign(new EventEmitter(), { headers, isPaused: false, pause })
  function pause() {
    request.isPaused = true
    return Object()
  }
  const send = (part: Buffer) => void request.emit('data', part)
  return { request: Object(request), send }
}

test('readBody concatenates chunks in order', async () => {
  const part = fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes))
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
      const { request, send } = requestOf()
      const body = readBody(request, 1_000)
      for (const one of parts) send(one)
      request.emit('end')
      expect((await body)?.equals(Buffer.concat(parts))).toBe(true)
    }),
  )
})

test('a body of 250,000 chunks takes little memory', async () => {
  const { request, send } = requestOf()
  const body = readBody(request, 256 * 1024)
  const before = heapInUse()
  for (let n = 0; n < 250_000; n += 1) send(Buffer.from([n & 255]))
  expect(heapInUse() - before).toBeLessThan(2 * 1024 * 1024)
  request.emit('end')
  expect((await body)?.subarray(0, 300)).toEqual(Buffer.from(Array.from({ length: 300 }, (_, n) => n & 255)))
})

test('a body or Content-Length over the limit is undefined', async () => {
  const { request, send } = requestOf()
  const body = readBody(request, 4)
  send(Buffer.from('ab'))
  send(Buffer.from('cd'))
  expect(request.isPaused).toBe(false)
  send(Buffer.from('e'))
  expect(await body).toBeUndefined()
  expect([request.isPaused, request.listenerCount('data')]).toEqual([true, 0])
  expect(await readBody(requestOf({ 'content-length': '5' }).request, 4)).toBeUndefined()
})

test('readBody rejects if the client disconnects', async () => {
  const { request } = requestOf()
  const body = readBody(request, 4)
  request.emit('error', new Error('gone'))
  await expect(body).rejects.toThrow('gone')
})
