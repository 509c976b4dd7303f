import { expect, test } from 'vitest'
import { pagesOnDemand } from '../../../src/server/static/pagesOnDemand.ts'
import { plainPage } from '../../../src/server/static/plainPage.ts'
import type { Pages } from '../../../src/server/static/site.ts'
import { serve } from '../../support/testServer.ts'

/** Pages with a text at each of these paths. */
const pagesAt = (text: string, ...paths: string[]): Pages => ({
  has: (path) => paths.includes(path),
  fileAt: (path) => (paths.includes(path) ? plainPage(text, text) : undefined),
})

const sources = pagesAt('source', '/docs/', '/docs/start', '/docs/start.md')

async function serveOnDemand() {
  let resolve = (_: Pages | undefined) => {}
  let reject = (_: Error) => {}
  const promise = new Promise<Pages | undefined>((...settle) => {
    ;[resolve, reject] = settle
  })
  let builds = 0
  const pages = pagesOnDemand(sources, () => {
    builds += 1
    return promise
  })
  const server = await serve({ pages })
  const get = async (path: string) => {
    const response = await fetch(`${server.origin}${path}`)
    const [, title] = /<title>(.*)<\/title>/.exec(await response.text()) ?? []
    return { status: response.status, title, refresh: response.headers.get('refresh') }
  }
  return { server, get, resolve, reject, builds: () => builds }
}

const waiting = { status: 200, title: 'Portolan: documentation', refresh: '3' }

test('a page that is not built yet begins one build, waits for it, and then shows itself', async () => {
  const { server, get, resolve, builds } = await serveOnDemand()
  await using _ = server
  expect(await get('/docs/start.md')).toMatchObject({ title: 'source', refresh: null })
  expect(builds()).toBe(0)
  expect(await get('/docs')).toEqual(waiting)
  expect(await get('/docs/schema/Query')).toEqual(waiting)
  expect(builds()).toBe(1)
  resolve(pagesAt('built', '/docs/', '/docs/schema/Query'))
  await expect.poll(() => get('/docs/schema/Query')).toMatchObject({ status: 200, title: 'built', refresh: null })
  expect(await get('/docs/nowhere')).toMatchObject({ status: 404 })
  expect(builds()).toBe(1)
})

test('pages that cannot be built are their sources', async () => {
  const { server, get, reject } = await serveOnDemand()
  await using _ = server
  expect(await get('/docs/')).toEqual(waiting)
  reject(new Error('no packages'))
  await expect.poll(() => get('/docs/')).toMatchObject({ title: 'source', refresh: null })
  expect(await get('/docs/start')).toMatchObject({ status: 200, title: 'source' })
})
