import { readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { account, hash, type Visit } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** What a page sends to the graph: the hash of each document, or its text where the hash was not known. */
function sentBy({ page }: Visit) {
  const bodies: { text?: string; hash?: string; variables: object }[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql')) return
    const { query, extensions, variables } = request.postDataJSON()
    bodies.push({ text: query, hash: extensions?.persistedQuery.sha256Hash, variables })
  })
  return bodies
}

test.each([
  ['/', '.card .big a', {}],
  ['/search?q=lantern', 'tbody td', { text: 'lantern' }],
  ['/chain/galley-1', '.facts dd', { chainId: 'galley-1' }],
  ['/block/galley-1/1041', '.facts dd', { chainId: 'galley-1', height: 1041 }],
  [`/tx/${hash}`, '.facts dd', { hash, chainId: null }],
  [`/tx/galley-1/${hash}`, '.facts dd', { hash, chainId: 'galley-1' }],
  [`/address/${account}`, '.digits', { address: account }],
  ['/asset/harbor-1/uinit', '.facts dd', { chainId: 'harbor-1', denom: 'uinit' }],
  ['/quote', 'option', {}],
  ['/status', 'tbody td', {}],
])('the first queries of %s are sent once, before the scripts load', async (path, data, variables) => {
  const { page } = walk.visit
  const sent = sentBy(walk.visit)
  await page.route('**/assets/*.js', async (route) => {
    // No script of a page runs before both queries are under way.
    await expect.poll(() => sent.length).toBe(2)
    await route.continue()
  })
  await page.goto(walk.gateway.origin + path)
  await page.locator(data).first().waitFor({ state: 'attached' })
  const [first, header] = sent
  expect(first?.variables).toEqual(variables)
  for (const one of [first, header]) {
    expect(sent.filter(({ hash: other }) => other === one?.hash)).toEqual([one])
  }
  // A new gateway knows them by their hashes.
  expect([first?.text, header?.text]).toEqual([undefined, undefined])
  expect(walk.visit.faults).toEqual([])
})

test('an invalid path sends only the query of the header', async () => {
  const sent = sentBy(walk.visit)
  await walk.visit.page.goto(`${walk.gateway.origin}/block/none`)
  await walk.visit.shows('Page not found')
  await walk.visit.page.goto(`${walk.gateway.origin}/block/galley-1/none`)
  await walk.visit.shows('Page not found')
  expect(new Set(sent.map(({ hash }) => hash)).size).toBe(1)
  // The status of both pages.
  expect(walk.visit.faults).toEqual([expect.stringContaining('404'), expect.stringContaining('404')])
})

test('a failed early query is sent again by the page', async () => {
  const { page } = walk.visit
  let failed = 0
  await page.route('**/graphql', (route) => (failed++ < 2 ? route.abort() : route.continue()))
  await page.goto(`${walk.gateway.origin}/block/galley-1/1041`)
  await walk.visit.shows('Galley Sequencer')
})

test('the first page loads at most 60 kB of scripts and styles, all pages 150 kB', async () => {
  const { page } = walk.visit
  const folder = new URL('../../../../dist/explorer/assets/', import.meta.url)
  const sizes = new Map(
    readdirSync(folder)
      .filter((name) => /\.(js|css)$/.test(name))
      .map((name) => [name, statSync(new URL(`${name}.gz`, folder)).size]),
  )
  const loaded = new Set<string>()
  page.on('request', (request) => loaded.add(new URL(request.url()).pathname.split('/').at(-1) ?? ''))
  await page.goto(walk.gateway.origin)
  await walk.visit.shows(/Galley Sequencer/)
  const sum = (names: Iterable<string>) => [...names].reduce((all, name) => all + (sizes.get(name) ?? 0), 0)
  expect(sum(loaded)).toBeGreaterThan(10_000)
  // With both queries, as many as a browser asks a server for at once: none waits for another.
  expect([...loaded].filter((name) => sizes.has(name)).length).toBeLessThanOrEqual(4)
  expect(sum(loaded)).toBeLessThanOrEqual(60_000)
  expect(sum(sizes.keys())).toBeLessThanOrEqual(150_000)
})
