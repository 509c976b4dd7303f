import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'
import { readGuides } from '../../../src/server/static/guides.ts'
import { readPages, readSite } from '../../../src/server/static/site.ts'
import { raw } from '../../support/http.ts'
import { serve } from '../../support/testServer.ts'

const page = `<!doctype html><title>Site</title><script>self.early = 1</script>
<script type="module" src="/assets/app-1a2b3c.js"></script>`
const script = 'export const answer = 42 // '.padEnd(2_000, 'x')

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })))
})

/** A site as a build leaves it, with a secret beside its folder. */
async function buildSite(): Promise<URL> {
  const parent = await mkdtemp(join(tmpdir(), 'site-'))
  folders.push(parent)
  const folder = join(parent, 'site')
  await mkdir(join(folder, 'assets'), { recursive: true })
  const files: Record<string, string | Buffer> = {
    '../secret.txt': 'secret',
    'site.json': JSON.stringify({
      pages: { '': [0, 0], block: [1, 3] },
      documents: ['{ chains { chainId } }'],
      records: [
        {
          pattern: '^/block/(?<kind>[a-z]+)/?$',
          queries: ['query ($kind: String!) { fail(kind: $kind) }'],
        },
      ],
    }),
    'index.html': page,
    'robots.txt': 'User-agent: *',
    'notes.unknown': 'secret',
    'assets/app-1a2b3c.js': script,
    'assets/app-1a2b3c.js.br': brotliCompressSync(script),
    'assets/app-1a2b3c.js.gz': gzipSync(script),
  }
  await Promise.all(Object.entries(files).map(([name, bytes]) => writeFile(join(folder, name), bytes)))
  return pathToFileURL(`${folder}/`)
}

const serveSite = async () => serve({ site: await readSite(await buildSite()) })

const script1 = '<script id="check-mode">self.mode = 1</script>'
const docsPage = `<!doctype html><title>Docs</title>${script1}
<script type="module" src="/docs/assets/app-1a2b3c.js"></script>`

/** A site whose pages are files of their own, in a folder of the server. */
async function serveDocs() {
  const folder = await buildSite()
  const files = {
    'site.json': JSON.stringify({ base: '/docs/', atRoot: ['robots.txt'] }),
    'index.html': docsPage,
    'index.md': '# Docs',
    'start.html': docsPage.replace('Docs', 'Start'),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(new URL(name, folder), text)
  const cache = new CacheStore(systemClock)
  const pages = await readPages(folder, cache)
  return { folder, cache, server: await serve({ site: await readSite(await buildSite()), pages }) }
}

test('the documents of a site are keyed by their hashes', async () => {
  const { documents } = (await readSite(await buildSite())) ?? {}
  const sha256 = 'd2ce9ff806d4b577858317865e183931e3cf921e3de6ce372bd2af8de717b0d6'
  expect(documents).toEqual(new Map([[sha256, '{ chains { chainId } }']]))
})

const html = { accept: 'text/html' }

describe('a site', () => {
  test('serves its page at its paths, with a policy that allows only its scripts', async () => {
    await using server = await serveSite()
    for (const path of ['/', '/block/7', '/block/galley-1/7', '/block/galley-1/7/', '/block/a%2Fb?x=1']) {
      const response = await fetch(server.origin + path, { headers: html })
      expect(await response.text()).toBe(page)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/]{43}=' 'self'; /)
      expect(policy).not.toContain('unsafe')
    }
  })

  test('does not answer at paths of the server or at unknown ones', async () => {
    await using server = await serveSite()
    const statusOf = async (path: string) => (await fetch(server.origin + path, { headers: html })).status
    expect(await (await fetch(`${server.origin}/health`, { headers: html })).json()).toEqual({
      status: 'ok',
    })
    expect(await (await fetch(server.url, { headers: html })).text()).toContain('GraphiQL')
    for (const path of ['/metrics', '/block', '/block/a/b/c/d', '/blocks', '/nope', '/site.json', '/notes.unknown']) {
      expect(await statusOf(path), path).toBe(404)
    }
    expect(await statusOf('/schema.graphql')).toBe(200)
    expect(await statusOf('/graphql/nope')).toBe(404)
    const query = await fetch(`${server.url}?query=%7Bhello%7D`)
    expect(await query.json()).toEqual({ data: { hello: 'Hello, you!' } })
  })

  test('shows browsers its page with status 404 at unknown paths', async () => {
    await using server = await serveSite()
    const ask = async (path: string, headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(server.origin + path, { method, headers })
      return [response.status, response.headers.get('content-type'), await response.text()]
    }
    const type = 'text/html; charset=utf-8'
    expect(await ask('/nowhere', html)).toEqual([404, type, page])
    const opened = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-dest': 'document' }
    expect(await ask('/no/where', opened)).toEqual([404, type, page])
    expect(await ask('/nowhere', html, 'HEAD')).toEqual([404, type, ''])
    const { headers } = await fetch(`${server.origin}/nowhere`, { headers: html })
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    const again = { ...html, 'if-none-match': headers.get('etag') ?? '' }
    expect(await ask('/nowhere', again)).toEqual([404, type, page])
  })

  test('has status 404 at the path of a record that cannot be, and is otherwise the same', async () => {
    await using server = await serveSite()
    const get = (path: string, more = {}) => fetch(server.origin + path, { headers: { ...html, ...more } })
    const [there, missing] = [await get('/block/upstream'), await get('/block/input')]
    expect([there.status, missing.status]).toEqual([200, 404])
    expect([await there.text(), await missing.text()]).toEqual([page, page])
    const known = { 'if-none-match': there.headers.get('etag') ?? '' }
    expect([(await get('/block/upstream', known)).status, (await get('/block/input', known)).status]).toEqual([
      304, 404,
    ])
    expect((await fetch(`${server.origin}/block/input`, { method: 'HEAD', headers: html })).status).toBe(404)
  })

  test('may show images of the proxy for pictures, and of no other origin', async () => {
    const folder = await buildSite()
    for (const [images, sources] of [
      [[], "'self' data:"],
      [['https://img.example'], "'self' data: https://img.example"],
    ] as const) {
      await using server = await serve({ site: await readSite(folder, images) })
      const { headers } = await fetch(server.origin, { headers: html })
      expect(headers.get('content-security-policy')).toContain(`img-src ${sources};`)
    }
  })

  test('shows browsers a gateway page with status 404 if there is no site', async () => {
    await using server = await serve()
    const response = await fetch(`${server.origin}/nowhere`, { headers: html })
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(response.headers.get('content-security-policy')).toMatch(/style-src 'sha256-/)
    expect(await response.text()).toContain('href="/graphql"')
  })

  test('lists the guides of a clone, and serves each as a page with ways out, and as Markdown', async () => {
    const path = await mkdtemp(join(tmpdir(), 'guides-'))
    folders.push(path)
    const folder = pathToFileURL(`${path}/`)
    await mkdir(new URL('guides/', folder))
    await writeFile(new URL('index.md', folder), '# Start\n\nText.')
    await writeFile(
      new URL('guides/react.md', folder),
      "# React <b>\n\n[Start](../index.md#a), [away](../../README.md)\n\n## Don't `poll` [it](../index.md)\n\n```sh\n# c\n```",
    )
    await writeFile(new URL('secret.txt', folder), 'secret')
    const map = [
      { title: 'First', pages: ['index', 'only-built'] },
      { title: 'Empty', pages: ['only-built'] },
      { title: 'Guides & more', pages: ['guides/react'] },
    ]
    await writeFile(new URL('map.json', folder), JSON.stringify(map))
    const pages = await readGuides(folder)
    await using server = await serve({ pages })
    const list = await (await fetch(`${server.origin}/docs`, { headers: html })).text()
    // Otherwise a browser asks for /favicon.ico, which nothing serves.
    expect(list).toContain('<link rel="icon" href="data:,"')
    expect(list.match(/<(?:main|nav)>|<h2>.*<\/h2>|<li>.*<\/li>/g)).toEqual([
      '<nav>',
      '<main>',
      '<h2>First</h2>',
      '<li><a href="/docs/index">Start</a></li>',
      '<h2>Guides &#38; more</h2>',
      '<li><a href="/docs/guides/react">React &#60;b&#62;</a></li>',
    ])
    const page = await (await fetch(`${server.origin}/docs/guides/react`, { headers: html })).text()
    expect(page).toContain('<a href="/docs/">Guides</a> <a href="/">Explorer</a>')
    expect(page).toContain('<a href="/docs/index#a">Start</a>, [away](../../README.md)')
    expect(page).toContain('<strong id="dont-poll-it">## Don&#39;t `poll` <a href="/docs/index">it</a></strong>')
    expect(page).toContain('\n# c\n')
    expect(page).toContain('<h1>React &#60;b&#62;</h1>')
    expect(page).not.toContain('<b>')
    const guide = await fetch(`${server.origin}/docs/index.md`)
    expect(guide.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await guide.text()).toBe('# Start\n\nText.')
    for (const path of ['secret.txt', 'map.json', '../secret.txt', 'guides', 'nope.md'])
      expect((await fetch(`${server.origin}/docs/${path}`)).status).toBe(404)
    expect(await readGuides(new URL('nowhere/', folder))).toBeUndefined()
  })

  test('the runbook of a clone has the anchor of each alert', async () => {
    await using server = await serve({ pages: await readGuides(new URL('../../../docs/', import.meta.url)) })
    const alerts = await readFile(new URL('../../../ops/prometheus/alerts.yml', import.meta.url), 'utf8')
    const urls = [...alerts.matchAll(/runbook_url: (\S+)#(\S+)/g)]
    expect(urls.length).toBeGreaterThan(5)
    for (const [, path, anchor] of urls) {
      expect(await (await fetch(server.origin + path, { headers: html })).text()).toContain(`id="${anchor}"`)
    }
  })

  test.each([
    ['/nowhere', { accept: '*/*' }, 'GET'],
    ['/nowhere', { accept: 'application/json' }, 'GET'],
    ['/nowhere', { ...html, 'sec-fetch-dest': 'image' }, 'GET'],
    ['/nowhere', html, 'POST'],
    ['/graphql/nope', html, 'GET'],
    ['/mcp', html, 'GET'],
    ['/metrics', html, 'GET'],
    ['/metrics/nope', html, 'GET'],
    ['/sandbox/faults', html, 'GET'],
    ['/health/nope', html, 'GET'],
  ])('answers non-browsers at %s with %j with a plain 404', async (path, headers, method) => {
    await using server = await serveSite()
    const response = await fetch(server.origin + path, { method, headers })
    expect(response.status).toBe(404)
    const [error] = (await response.json()).errors
    expect(error.message).toBe('Not found. The graph is at /graphql.')
  })

  test.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/block/../../secret.txt',
    '/assets/app-1a2b3c.js%00.txt',
  ])('does not allow path traversal: %s', async (path) => {
    await using server = await serveSite()
    const answer = await raw(
      server.origin,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).not.toMatch(/\r\n\r\n[\s\S]*secret/)
    expect(answer).toMatch(path.startsWith('/block/') ? /^HTTP\/1.1 200/ : /^HTTP\/1.1 404/)
  })

  test('serves hashed files as immutable, with ETags', async () => {
    await using server = await serveSite()
    const url = `${server.origin}/assets/app-1a2b3c.js`
    const response = await fetch(url, { headers: { 'accept-encoding': 'br' } })
    expect(await response.text()).toBe(script)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'br',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    const etag = response.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const again = await fetch(url, { headers: { 'if-none-match': known } })
      expect(again.status).toBe(304)
    }
    const other = await fetch(url, { headers: { 'if-none-match': '"other"' } })
    expect(other.status).toBe(200)
    const robots = await fetch(`${server.origin}/robots.txt`)
    expect(robots.headers.get('cache-control')).toBe('no-cache')
  })

  test('is compressed as the client accepts', async () => {
    await using server = await serveSite()
    const get = (coding: string, method = 'GET') =>
      raw(
        server.origin,
        `${method} /assets/app-1a2b3c.js HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`,
      )
    expect(await get('gzip, deflate, br')).toMatch(/content-encoding: br/i)
    expect(await get('br;q=0, gzip')).toMatch(/content-encoding: gzip/i)
    const plain = await get('identity')
    expect(plain).not.toMatch(/content-encoding/i)
    expect(plain).toContain(script)
    const head = await get('gzip', 'HEAD')
    expect(head).toMatch(/content-length: \d+/i)
    expect(head.endsWith('\r\n\r\n')).toBe(true)
    const bytes = await fetch(`${server.origin}/assets/app-1a2b3c.js`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(await bytes.text()).toBe(script)
  })

  test('ignores methods other than GET and HEAD', async () => {
    await using server = await serveSite()
    expect((await fetch(`${server.origin}/block`, { method: 'POST' })).status).toBe(404)
    const root = await fetch(server.origin, { method: 'POST', redirect: 'manual' })
    expect(root.headers.get('location')).toBe('/graphql')
  })

  test('can have separate pages in a folder, each with its policy', async () => {
    const docs = await serveDocs()
    await using server = docs.server
    const get = (path: string) => fetch(server.origin + path, { headers: html, redirect: 'manual' })
    for (const [path, title] of Object.entries({ '/docs/': 'Docs', '/docs/start': 'Start' })) {
      const response = await get(path)
      expect(await response.text()).toContain(`<title>${title}</title>`)
      const hash = createHash('sha256').update('self.mode = 1').digest('base64')
      expect(response.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}' 'self';`)
    }
    const folder = await get('/docs')
    expect([folder.status, folder.headers.get('location')]).toEqual([308, '/docs/'])
    for (const [path, plain] of Object.entries({
      '/docs/start/': '/docs/start',
      '//docs/start': '/docs/start',
      '/docs//?a=//b': '/docs/?a=//b',
      '//docs': '/docs/',
      '/block//7?tab=a': '/block/7?tab=a',
      '//block/..//evil.example': '/block/../evil.example',
      '//': '/',
      '//evil.example/docs/': null,
    })) {
      const answer = await raw(
        server.origin,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\nConnection: close\r\n\r\n`,
      )
      const [, location = null] = /^location: (.*)\r$/im.exec(answer) ?? []
      expect([path, location]).toEqual([path, plain])
    }
    const source = await get('/docs/index.md')
    expect(source.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await source.text()).toBe('# Docs')
    expect((await get('/docs/assets/app-1a2b3c.js')).status).toBe(200)
    expect(await (await get('/robots.txt')).text()).toBe('User-agent: *')
    for (const path of ['/docs/index.html', '/docs/nope', '/start', '/docs/%2e%2e/secret']) {
      expect((await get(path)).status, path).toBe(404)
    }
    expect(await (await get('/block/7')).text()).toBe(page)
  })

  test('caches only small pages, when they are requested', async () => {
    const docs = await serveDocs()
    await using server = docs.server
    const kept = docs.cache.open({ name: 'pages of /docs/', maxBytes: 1 })
    expect(kept.size).toBe(0)
    const large = Buffer.alloc(2_000_001, 'x')
    await writeFile(new URL('index.md', docs.folder), large)
    const textOf = async (path: string) => (await fetch(server.origin + path)).text()
    expect(await textOf('/docs/index.md')).toHaveLength(large.length)
    expect(kept.size).toBe(0)
    const start = await textOf('/docs/start')
    expect([kept.size, kept.bytes]).toEqual([1, start.length])
    await rm(new URL('start.html', docs.folder))
    expect(await textOf('/docs/start')).toBe(start)
    await rm(new URL('index.html', docs.folder))
    expect((await fetch(`${server.origin}/docs/`)).status).toBe(404)
  })

  test('is undefined if it is not built', async () => {
    const folder = await buildSite()
    expect(await readSite(new URL('assets/', folder))).toBeUndefined()
  })
})

test('GraphiQL loads immutable files, also from a server that has shown no page', async () => {
  await using server = await serve()
  const shown = await (await fetch(server.url, { headers: html })).text()
  expect(shown.length).toBeLessThan(20_000)
  const paths = [...shown.matchAll(/(?:src|href)="(\/graphiql\/[^"]+)"/g)].map(([, path]) => path)
  expect(paths).toHaveLength(2)
  await using other = await serve()
  for (const path of paths) {
    const response = await fetch(other.origin + path, { headers: { 'accept-encoding': 'br' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('content-encoding')).toBe('br')
    expect((await response.text()).length).toBeGreaterThan(500_000)
  }
  expect((await fetch(`${other.origin}/graphiql/0000.js`)).status).toBe(404)
  await using off = await serve({ graphiql: false })
  expect((await fetch(off.origin + paths[0])).status).toBe(404)
})
