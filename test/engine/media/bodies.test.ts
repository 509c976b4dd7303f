import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { deferred } from '../../support/deferred.ts'
import { answering, type Host, png } from '../../support/internet.ts'
import { reasonOf, startMediaWorld } from '../../support/mediaWorld.ts'

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
    await using world = await startMediaWorld({ host })
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
    await using world = await startMediaWorld({ host })
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
    await using world = await startMediaWorld({
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
    await using world = await startMediaWorld({ host })
    expect((await world.metadata('http://public.example/a')).unavailableReason).toBe('UNREACHABLE')
  })

  test('nested too deeply are refused before they are parsed', async () => {
    await using world = await startMediaWorld({ host: answering('['.repeat(200_000)) })
    expect((await world.metadata('http://public.example/a')).unavailableReason).toBe('INVALID')
  })
})

describe('picture responses', () => {
  const script = '<html><script>alert(document.domain)</script></html>'

  test('have headers that stop HTML after a GIF signature from running', async () => {
    await using world = await startMediaWorld({
      host: answering(`GIF89a/*${script}`, { 'content-type': 'text/html', 'set-cookie': 'a=1' }),
    })
    const response = await world.picture('https://public.example/polyglot')
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/gif',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': 'inline',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, max-age=86400',
    })
    expect(response.headers.has('set-cookie')).toBe(false)
  })

  test.each([
    ['HTML', script, 'NOT_AN_IMAGE'],
    ['HTML after white space', `\n\n ${script}`, 'NOT_AN_IMAGE'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'SVG'],
    ['an SVG after a prologue', '\ufeff<?xml version="1.0"?>\n<!-- -->\n<svg/>', 'SVG'],
    ['HTML with an image content type', `<!doctype html>${script}`, 'NOT_AN_IMAGE'],
    ['a PDF', '%PDF-1.7', 'NOT_AN_IMAGE'],
    ['empty', '', 'NOT_AN_IMAGE'],
  ])('are refused if they are %s', async (_name, body, reason) => {
    await using world = await startMediaWorld({
      host: answering(body, { 'content-type': 'image/png' }),
    })
    const response = await world.picture('https://public.example/a')
    expect([response.status, response.headers.get('content-type')]).toEqual([415, 'application/json; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await reasonOf(response)).toBe(reason)
  })

  test('are refused if they are an SVG in a data: URI', async () => {
    await using world = await startMediaWorld()
    const response = await world.picture('data:image/svg+xml;utf8,<svg onload="alert(1)"/>')
    expect([response.status, await reasonOf(response)]).toEqual([415, 'SVG'])
  })

  test('are refused if they are larger than the limit', async () => {
    const body = Buffer.concat([png, Buffer.alloc(5 * 2 ** 20)])
    await using world = await startMediaWorld({ host: answering(body) })
    const response = await world.picture('https://public.example/a')
    expect([response.status, await reasonOf(response)]).toEqual([502, 'TOO_LARGE'])
  })
})
