import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { answering, type Host } from '../../support/internet.ts'
import { startNftWorld } from '../../support/nftWorld.ts'

// What the host of an NFT can answer.

describe('response bodies', () => {
  test('without an end are cut at the limit, and the connection is closed', async () => {
    const closed = deferred<void>()
    const host: Host = (_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384, 0x20)));
        response.once('drain', write)
      }
      response.once('close', () => closed.resolve())
      write()
    }
    await using world = await startNftWorld({ host })
    const { unavailableReason } = await world.metadata('http://public.example/endless')
    expect(unavailableReason).toBe('TOO_LARGE')
    await closed.promise
  })

  test('are not read if Content-Length is over the limit', async () => {
    const closed = deferred<void>()
    const host: Host = (_request, response) => {
      response.once('close', () => closed.resolve())
      response.writeHead(200, { 'content-length': String(2 ** 40) }).write('{')
    }
    await using world = await startNftWorld({ host })
    expect((await world.metadata('http://public.example/a')).unavailableReason).toBe('TOO_LARGE')
    await closed.promise
  })

  const zeros = Buffer.alloc(8 * 2 ** 20)
  test.each([
    ['gzip', () => gzipSync(zeros), 'TOO_LARGE'],
    ['br', () => brotliCompressSync(zeros), 'TOO_LARGE'],
    ['gzip, gzip', () => gzipSync(gzipSync(zeros)), 'REJECTED'],
    ['constructor', () => Buffer.from('{}'), 'REJECTED'],
    ['gzip', () => gzipSync('{"name":"Cut"}').subarray(0, 20), 'UNREACHABLE'],
    ['gzip', () => Buffer.from('no gzip'), 'UNREACHABLE'],
    ['gzip', () => gzipSync('{"name":"Honest"}'), null],
    ['br', () => brotliCompressSync('{"name":"Honest"}'), null],
  ])('in %s are limited by their decompressed size: %#', async (coding, compress, reason) => {
    const body = compress()
    expect(body.length).toBeLessThan(100_000)
    await using world = await startNftWorld({
      host: answering(body, { 'content-encoding': coding }),
    })
    const { unavailableReason, name } = await world.metadata('http://public.example/a')
    expect([unavailableReason, name]).toEqual([reason, reason === null ? 'Honest' : null])
  })

  test('that break off are an error', async () => {
    const host: Host = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"name":"Half"}')
      setImmediate(() => response.destroy())
    }
    await using world = await startNftWorld({ host })
    expect((await world.metadata('http://public.example/a')).unavailableReason).toBe('UNREACHABLE')
  })

  test('nested too deeply are refused before they are parsed', async () => {
    await using world = await startNftWorld({ host: answering('['.repeat(200_000)) })
    expect((await world.metadata('http://public.example/a')).unavailableReason).toBe('INVALID')
  })
})
