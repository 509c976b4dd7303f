import { expect, test } from 'vitest'
import { MetadataError } from '../../../src/engine/nftMetadata/fault.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { answering, type Host, openTestMetadata, startInternet } from '../../support/internet.ts'

const caller = (client = 'ip:1') => ({ requester: { client }, signal: new SignalSource() })

/** What became of a request: its value, or the reason that it failed. */
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof MetadataError ? error.fault : error))

test.each<[string, Host]>([
  ['never begins', () => {}],
  ['stops in the middle', (_request, response) => void response.write('{"name":')],
  [
    'stops after a redirect',
    ({ url }, response) => {
      if (url === '/a') response.writeHead(302, { location: '/b' }).end()
    },
  ],
])('a body that %s times out after five seconds, and its connection closes', async (_, host) => {
  const begun = deferred<void>()
  const closed = deferred<void>()
  await using internet = await startInternet({
    host(request, response) {
      host(request, response)
      if (response.writableEnded) return
      begun.resolve()
      response.once('close', () => closed.resolve())
    },
  })
  const clock = fakeClock()
  const reader = openTestMetadata(internet, { clock })
  let ended: unknown
  const read = outcome(reader.read('http://public.example/a', caller())).then((value) => {
    ended = value
  })
  await begun.promise
  await clock.advance(4_999)
  expect(ended).toBeUndefined()
  await clock.advance(1)
  await read
  expect(ended).toBe('TIMED_OUT')
  await closed.promise
})

test('a body that arrives in drops times out after five seconds in all', async () => {
  const clock = fakeClock()
  const drops: (() => void)[] = []
  const begun = deferred<void>()
  await using internet = await startInternet({
    host(_request, response) {
      response.write(' ')
      drops.push(() => response.write(' '))
      begun.resolve()
    },
  })
  const reader = openTestMetadata(internet, { clock })
  const read = outcome(reader.read('http://public.example/a', caller()))
  await begun.promise
  for (let second = 0; second < 5; second += 1) {
    drops[0]?.()
    await clock.advance(1_000)
  }
  expect(await read).toBe('TIMED_OUT')
})

test('a DNS lookup times out after five seconds', async () => {
  let isAborted = false
  await using internet = await startInternet({
    resolve(_host, signal) {
      signal.addEventListener('abort', () => {
        isAborted = true
      })
      return new Promise(() => {})
    },
  })
  const clock = fakeClock()
  const read = outcome(openTestMetadata(internet, { clock }).read('http://a.example/', caller()))
  await clock.advance(5_000)
  expect(await read).toBe('TIMED_OUT')
  expect(isAborted).toBe(true)
})

test('no connection is opened after a late DNS lookup', async () => {
  const found = deferred<string[]>()
  await using internet = await startInternet({ resolve: () => found.promise })
  const clock = fakeClock()
  const read = outcome(openTestMetadata(internet, { clock }).read('http://a.example/', caller()))
  await clock.advance(5_000)
  expect(await read).toBe('TIMED_OUT')
  found.resolve(['93.184.216.34'])
  await clock.advance(0)
  expect(internet.dialed).toEqual([])
})

test('a request that queues for five seconds is BUSY, which is not cached', async () => {
  const answers: (readonly string[])[] = []
  await using internet = await startInternet({
    host: answering('{"name":"There"}'),
    resolve: () => (answers.length > 0 ? Promise.resolve(answers.shift() ?? []) : new Promise(() => {})),
  })
  const clock = fakeClock()
  const reader = openTestMetadata(internet, { clock })
  const first = Array.from({ length: 16 }, (_, index) =>
    outcome(reader.read(`http://slow.example/${index}`, caller(`ip:${index}`))),
  )
  const second = outcome(reader.read('http://quick.example/', caller('ip:x')))
  await clock.advance(5_000)
  expect(new Set(await Promise.all(first))).toEqual(new Set(['TIMED_OUT']))
  expect(await second).toBe('BUSY')
  answers.push(['93.184.216.34'])
  expect(await reader.read('http://quick.example/', caller('ip:x'))).toMatchObject({ name: 'There' })
})

test('one client with slow hosts does not take all requests', async () => {
  const isFull = deferred<void>()
  const held: Parameters<Host>[1][] = []
  let isOpen = false
  await using internet = await startInternet({
    host({ url }, response) {
      if (isOpen || url === '/quick') response.end('{"name":"Quick"}')
      else if (held.push(response) === 14) isFull.resolve()
    },
  })
  const clock = fakeClock()
  const reader = openTestMetadata(internet, { clock })
  const slow = Array.from({ length: 30 }, (_, index) =>
    outcome(reader.read(`http://public.example/${index}`, caller('ip:1'))),
  )
  await isFull.promise
  expect(await reader.read('http://public.example/quick', caller('ip:2'))).toMatchObject({ name: 'Quick' })
  expect(held).toHaveLength(14)
  isOpen = true
  for (const response of held) response.end('{"name":"Slow"}')
  expect(await Promise.all(slow)).toHaveLength(30)
})

test('requests beyond the queue are refused at once', async () => {
  await using internet = await startInternet({ resolve: () => new Promise(() => {}) })
  const clock = fakeClock()
  const reader = openTestMetadata(internet, { clock })
  const reads = Array.from({ length: 16 * 33 + 1 }, (_, index) =>
    outcome(reader.read(`http://a.example/${index}`, caller(`ip:${index}`))),
  )
  expect(await Promise.race(reads)).toBe('BUSY')
  expect(internet.resolved).toHaveLength(16)
  await clock.advance(5_000)
  expect(new Set(await Promise.all(reads))).toEqual(new Set(['TIMED_OUT', 'BUSY']))
})

test('concurrent callers share one request, and its content is cached for an hour', async () => {
  await using internet = await startInternet({ host: answering('{"name":"One"}') })
  const clock = fakeClock()
  const reader = openTestMetadata(internet, { clock })
  const read = () => reader.read('ipfs://cid/1.json', caller())
  const all = await Promise.all([read(), read(), read()])
  expect(all.map(({ name }) => name)).toEqual(['One', 'One', 'One'])
  await clock.advance(3_600_000)
  await read()
  expect(internet.asked).toHaveLength(1)
  await clock.advance(1)
  await read()
  expect(internet.asked).toHaveLength(2)
})

test('a failure is cached for a minute', async () => {
  await using internet = await startInternet({ host: answering('{}', {}, 404) })
  const clock = fakeClock()
  const reader = openTestMetadata(internet, { clock })
  const read = () => outcome(reader.read('http://public.example/gone', caller()))
  expect(await Promise.all([read(), read()])).toEqual(['REJECTED', 'REJECTED'])
  await clock.advance(60_000)
  expect(await read()).toBe('REJECTED')
  expect(internet.asked).toHaveLength(1)
  await clock.advance(1)
  await read()
  expect(internet.asked).toHaveLength(2)
})

test('a caller that leaves a shared request does not abort it for others', async () => {
  const held = deferred<Parameters<Host>[1]>()
  await using internet = await startInternet({ host: (_, response) => held.resolve(response) })
  const reader = openTestMetadata(internet, { clock: fakeClock() })
  const leaving = { requester: { client: 'ip:1' }, signal: new SignalSource() }
  const left = reader.read('http://public.example/a', leaving)
  const stayed = reader.read('http://public.example/a', caller())
  const response = await held.promise
  leaving.signal.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  response.end('{"name":"Stayed"}')
  expect(await stayed).toMatchObject({ name: 'Stayed' })
  expect(internet.asked).toHaveLength(1)
})
