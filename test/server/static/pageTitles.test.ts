import { GraphQLError } from 'graphql'
import { describe, expect, test } from 'vitest'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import type { Pipeline } from '../../../src/server/operation/pipeline.ts'
import { createPageTitles } from '../../../src/server/static/pageTitles.ts'
import { staticFile } from '../../../src/server/static/staticFile.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { testClient } from '../../support/testClient.ts'

const html = `<!doctype html><meta name="description" content="All" />
<meta property="og:title" content="Site" /><meta property="og:description" content="All" />
<title>Site</title><script>self.early = 1</script>`
const policy = { 'content-security-policy': "script-src 'sha256-x'" }
const page = staticFile({ identity: Buffer.from(html) }, 'asked', policy)
const pages = new Map([['tx', [1, 2] as const]])
const site = { page, files: new Map(), pages, documents: new Map() }

const hash = '8'.repeat(64)
const found = (summary: string) => ({
  transaction: {
    ...{ height: 7, isSuccessful: true, chain: { prettyName: 'Harbor' }, actions: [{ summary }] },
  },
})

const first = testClient('ip:1')

/** Titles over a graph that answers as told, with what was asked of it. */
function open(answer: () => Promise<unknown>, errors?: readonly GraphQLError[]) {
  const asked: Readonly<Record<string, unknown>>[] = []
  const clients: string[] = []
  const clock = fakeClock()
  const cache = new CacheStore(clock)
  const pipeline: Pick<Pipeline, 'run'> = {
    async run({ variables }, { client }) {
      asked.push(variables ?? {})
      clients.push(client.key)
      return { data: (await answer()) as Record<string, unknown>, ...(errors && { errors }) }
    },
  }
  const titles = createPageTitles(site, pipeline, { cache, clock })
  const textAt = async (path: string) => (await titles.pageAt(path, first, false))?.bodies.identity.toString()
  return { asked, clients, clock, titles, textAt }
}

describe('the page of a record', () => {
  test('has the summary of the record in title and previews', async () => {
    const { textAt, asked, clients, titles } = open(async () => found('Sent 5 INIT'))
    const text = await textAt(`/tx/${hash}`)
    expect(text).toContain('<title>Transaction 88888888…888888 · Harbor</title>')
    expect(text).toContain('property="og:title" content="Transaction 88888888…888888 · Harbor"')
    expect(text?.match(/content="Sent 5 INIT\. Success in block 7 of Harbor"/g)).toHaveLength(2)
    expect(text).toContain('<script>self.early = 1</script>')
    expect([asked, clients]).toEqual([[{ hash }], ['ip:1']])
    const file = await titles.pageAt(`/tx/${hash}`, testClient('ip:2'), false)
    expect(file?.headers['content-security-policy']).toBe(policy['content-security-policy'])
    expect(file?.headers.etag).not.toBe(page.headers.etag)
    // The second came from the cache.
    expect(asked).toHaveLength(1)
  })

  test('has escaped, single-line and truncated text of chains', async () => {
    const { textAt } = open(async () =>
      found(`</title><script>alert("1")</script>\n\u202E$&$1 'x' &amp; ${'y'.repeat(500)}`),
    )
    const text = (await textAt(`/tx/${hash}`)) ?? ''
    expect(text).toContain(
      'content="&#60;/title&#62;&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; $&#38;$1 &#39;x&#39; &#38;amp; y',
    )
    expect(text.match(/<script>/g)).toHaveLength(1)
    expect(text).not.toMatch(/\u202E|y{200}/)
  })

  test('is the plain page after half a second, or if the graph fails', async () => {
    const late = deferred<unknown>()
    const { textAt, clock } = open(() => late.promise)
    const text = textAt(`/tx/${hash}`)
    await clock.advance(499)
    const state = await Promise.race([text.then(() => 'sent'), Promise.resolve('waits')])
    await clock.advance(1)
    expect([state, await text]).toEqual(['waits', html])
    const failing = open(() => Promise.reject(new Error('down')))
    expect(await failing.textAt(`/tx/${hash}`)).toBe(html)
  })

  test('is the plain page while many titles are loading', async () => {
    const { titles, asked } = open(() => new Promise(() => {}))
    const hashes = Array.from({ length: 16 }, (_, index) => `${index}`.padStart(64, '0'))
    for (const one of hashes) titles.pageAt(`/tx/${one}`, first, false)?.catch(() => {})
    expect(titles.pageAt(`/tx/${hash}`, first, false)).toBeUndefined()
    expect(asked).toHaveLength(16)
  })

  test('has status 404 if there is no record, but not if the graph has errors', async () => {
    const none = open(async () => ({ transaction: null }))
    const page404 = await none.titles.pageAt(`/tx/${hash}`, first, true)
    expect([page404?.status, page404?.bodies.identity.toString()]).toEqual([404, html])
    const found404 = await none.titles.pageAt(`/tx/${hash}`, first, true)
    expect(found404?.status).toBe(404)
    const failing = open(async () => ({ transaction: null }), [new GraphQLError('down')])
    expect((await failing.titles.pageAt(`/tx/${hash}`, first, true))?.status).toBeUndefined()
  })

  test('of an untracked transfer has status 200', async () => {
    const { titles } = open(async () => ({ transfer: null }))
    const file = await titles.pageAt(`/transfer/harbor-1/${hash}`, first, true)
    expect(file?.status).toBeUndefined()
  })

  test('gets its title once a transfer is tracked or the graph recovers', async () => {
    let answer: () => Promise<unknown> = async () => ({ transfer: null })
    const { textAt } = open(() => answer())
    const path = `/transfer/harbor-1/${hash}`
    expect(await textAt(path)).toContain('<title>Site</title>')
    answer = () => Promise.reject(new Error('down'))
    expect(await textAt(path)).toContain('<title>Site</title>')
    const chain = { prettyName: 'Harbor' }
    answer = async () => ({ transfer: { outcome: 'PENDING', chain, hops: [] } })
    expect(await textAt(path)).toContain('<title>Transfer 88888888…888888 · pending</title>')
  })

  test('is sent to a browser after a tenth of a second', async () => {
    const { titles, clock } = open(() => new Promise(() => {}))
    const file = titles.pageAt(`/tx/${hash}`, first, true)
    await clock.advance(100)
    expect((await file)?.status).toBeUndefined()
  })

  test.each(['/tx/short', '/block/a-1/x', '/tx/%E0%A4', '/chain/~', '/address/nonsense'])(
    '%s is no valid record: status 404 without a query',
    async (path) => {
      const { titles, asked } = open(async () => found(''))
      expect((await titles.pageAt(path, first, true))?.status).toBe(404)
      expect(asked).toEqual([])
    },
  )

  test.each(['/', '/tx', `/tx/a/b/${hash}`, '/toString/x', '/quote'])(
    '%s is no record page: no title and no query',
    (path) => {
      const { titles, asked } = open(async () => found(''))
      expect(titles.pageAt(path, first, false)).toBeUndefined()
      expect(asked).toEqual([])
    },
  )
})
