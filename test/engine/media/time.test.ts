import { expect, test } from 'vitest'
import { MediaError } from '../../../src/engine/media/fault.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { answering, type Host, openTestMedia, png, startInternet } from '../../support/internet.ts'

const caller = (client = 'ip:1') => ({ requester: { client }, signal: new SignalSource() })

/** What became of a request: its value, or the reason that it failed. */
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.catch((error: unknown) => (error instanceof MediaError ? error.fault : error))

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
  const media = openTestMedia(internet, { clock })
  let ended: unknown
  const read = outcome(media.metadata('http://public.example/a', caller())).then((value) => {
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
  const media = openTestMedia(internet, { clock })
  const read = outcome(media.metadata('http://public.example/a', caller()))
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
  const read = outcome(openTestMedia(internet, { clock }).metadata('http://a.example/', caller()))
  await clock.advance(5_000)
  expect(await read).toBe('TIMED_OUT')
  expect(isAborted).toBe(true)
})

test('no connection is opened after a late DNS lookup', async () => {
  const found = deferred<string[]>()
  await using internet = await startInternet({ resolve: () => found.promise })
  const clock = fakeClock()
  const read = outcome(openTestMedia(internet, { clock }).metadata('http://a.example/', caller()))
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
  const media = openTestMedia(internet, { clock, limits: { maxMediaRequests: 1 } })
  const first = outcome(media.metadata('http://slow.example/', caller('ip:1')))
  const second = outcome(media.metadata('http://quick.example/', caller('ip:2')))
  await clock.advance(5_000)
  expect(await Promise.all([first, second])).toEqual(['TIMED_OUT', 'BUSY'])
  answers.push(['93.184.216.34'])
  const third = media.metadata('http://quick.example/', caller('ip:2'))
  expect(await third).toMatchObject({ name: 'There' })
  expect(Object.fromEntries(media.outcomes)).toEqual({ TIMED_OUT: 1, BUSY: 1, OK: 1 })
})

test('requests beyond the queue are refused at once', async () => {
  await using internet = await startInternet({ resolve: () => new Promise(() => {}) })
  const clock = fakeClock()
  const media = openTestMedia(internet, { clock, limits: { maxMediaRequests: 1 } })
  const reads = Array.from({ length: 34 }, (_, index) => outcome(media.metadata(`http://a.example/${index}`, caller())))
  expect(await Promise.race(reads)).toBe('BUSY')
  expect(internet.resolved).toHaveLength(1)
  await clock.advance(5_000)
  expect(new Set(await Promise.all(reads))).toEqual(new Set(['TIMED_OUT', 'BUSY']))
})

test('concurrent callers share one request, and its content is cached for an hour', async () => {
  await using internet = await startInternet({ host: answering(png) })
  const clock = fakeClock()
  const media = openTestMedia(internet, { clock })
  const source = { kind: 'uri', uri: 'ipfs://cid/1.png' } as const
  const read = () => media.picture(source, caller())
  const [one, two, three] = await Promise.all([read(), read(), read()])
  expect([one === two, two === three, one.type]).toEqual([true, true, 'image/png'])
  await clock.advance(3_600_000)
  expect(await read()).toBe(one)
  expect(internet.asked).toHaveLength(1)
  await clock.advance(1)
  await read()
  expect(internet.asked).toHaveLength(2)
})

test('a failure is cached for a minute', async () => {
  await using internet = await startInternet({ host: answering('{}', {}, 404) })
  const clock = fakeClock()
  const media = openTestMedia(internet, { clock })
  const read = () => outcome(media.metadata('http://public.example/gone', caller()))
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
  const media = openTestMedia(internet, { clock: fakeClock() })
  const leaving = { requester: { client: 'ip:1' }, signal: new SignalSource() }
  const left = media.metadata('http://public.example/a', leaving)
  const stayed = media.metadata('http://public.example/a', caller())
  const response = await held.promise
  leaving.signal.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  response.end('{"name":"Stayed"}')
  expect(await stayed).toMatchObject({ name: 'Stayed' })
  expect(internet.asked).toHaveLength(1)
})

test('the picture cache is bounded by bytes', async () => {
  const body = Buffer.concat([png, Buffer.alloc(400_000)])
  await using internet = await startInternet({ host: answering(body) })
  const clock = fakeClock()
  const media = openTestMedia(internet, { clock, limits: { mediaCacheBytes: 2 ** 20 } })
  const read = (name: number) => media.picture({ kind: 'uri', uri: `http://public.example/${name}` }, caller())
  for (const name of [1, 2, 3, 3, 2]) await read(name)
  expect(internet.asked.map(({ url }) => url)).toEqual(['/1', '/2', '/3'])
  // The third one pushed out the one that was used least recently.
  await read(1)
  expect(internet.asked).toHaveLength(4)
})
