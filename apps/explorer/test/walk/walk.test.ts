import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { account, endVisit, follow, hash, startBrowser, startVisit, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'
import { type FoundNft, findNft, pagesOf } from './pages.ts'

let gateway: Awaited<ReturnType<typeof startGateway>>
let browser: Browser
let visit: Visit
let page: Page
let nft: FoundNft

beforeAll(async () => {
  gateway = await startGateway()
  browser = await startBrowser()
  nft = await findNft(gateway)
})
afterAll(async () => {
  await browser?.close()
  gateway?.stop()
})
beforeEach(async () => {
  if (visit) await endVisit(visit)
  visit = await startVisit(browser)
  page = visit.page
})

const open = (path: string) => page.goto(gateway.origin + path)
const shows = (text: string | RegExp) => visit.shows(text)

const pages = () => pagesOf(nft)

/** What axe finds wrong with a page. */
async function findBarriers(): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { run } = (window as never as { axe: typeof axe }).axe
    const { violations } = await run()
    return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0]?.html}`)
  })
}

test('every page has no faults, foreign hosts or accessibility violations', async () => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const [path, text] of pages()) {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.emulateMedia({ colorScheme: 'light' })
    await open(path)
    await shows(text)
    await page.evaluate(axe.source)
    expect(await findBarriers(), path).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findBarriers(), `${path}, dark, on a phone`).toEqual([])
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width, path).toBeLessThanOrEqual(390)
    if (path === '/status') {
      const services = page.locator('.scroll').first()
      expect(await services.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
    }
    // The browser reports the status of a page that is none.
    const faults = visit.faults.filter((fault) => !fault.includes('404 (Not Found)') || !fault.includes('/none'))
    expect(faults, path).toEqual([])
  }
  expect([...visit.hosts]).toEqual([new URL(gateway.origin).host])
})

test('pages of records that are not there have status 404, and say so', async () => {
  const [collection] = nft
  const statusOf = async (path: string) =>
    (await fetch(gateway.origin + path, { headers: { accept: 'text/html' } })).status
  for (const [path] of pages()) expect([path, await statusOf(path)]).toEqual([path, path.endsWith('/none') ? 404 : 200])
  for (const path of [
    '/chain/nope',
    '/block/galley-1/99999999',
    `/tx/${'ab'.repeat(32)}`,
    `/tx/harbor-1/${'ab'.repeat(32)}`,
    '/address/nope',
    '/asset/galley-1/nope',
    '/validators/nope',
    '/contracts/nope',
    '/usage/nope',
    '/contract/nope/0x1',
    '/collection/galley-1/0x1',
    `/nft/galley-1/${collection}/9999`,
  ]) {
    const response = await open(path)
    expect([path, response?.status()]).toEqual([path, 404])
    await shows(/not found|not in any asset list|rejected this input/)
  }
})

test('the height of a chain is updated live', async () => {
  await open('/')
  await shows(/Galley Sequencer/)
  const height = page.locator('.card', { hasText: 'Galley' }).locator('.big')
  const before = await height.textContent()
  await page.waitForFunction((last) => document.querySelectorAll('.card .big')[1]?.textContent !== last, before)
})

test.each([
  [hash, /\/tx\/galley-1\//, /\/ 99,982$/],
  [account, /\/address\/init1/, /balances have a price/],
  ['0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817', /\/address\//, /balances have a price/],
  ['Lantern', /\/search\?q=Lantern/, 'Chain'],
  ['1041', /\/search\?q=1041/, '1,041'],
  ['#1041', /\/search\?q=1041/, '1,041'],
])('a search for %s opens its result', async (query, url, text) => {
  await open('/status')
  await shows('Services')
  await page.keyboard.press('/')
  await page.keyboard.type(query)
  await page.keyboard.press('Enter')
  await page.waitForURL(url)
  await shows(text)
  await page.goBack()
  await page.waitForURL(/\/status$/)
})

test('navigation does not reload the document', async () => {
  await open('/block/galley-1/1041')
  await shows('Galley Sequencer')
  await page.evaluate(() => Object.assign(window, { isSame: true }))
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/\/1042$/)
  await page.getByRole('link', { name: 'Galley' }).first().click()
  await page.waitForURL(/\/chain\/galley-1$/)
  await shows('Virtual machine')
  await page.goBack()
  await page.waitForURL(/\/1042$/)
  expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
})

test('older activity loads at the end of the list, and is filtered by chain', async () => {
  await open(`/address/${account}`)
  const rows = page.locator('.paused-list tbody tr')
  await rows.nth(9).waitFor()
  await page.getByRole('button', { name: 'Load more' }).scrollIntoViewIfNeeded()
  await rows.nth(25).waitFor()
  await page.getByLabel('Chain', { exact: true }).selectOption('harbor-1')
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.paused-list tbody .chain')].every(({ textContent }) => textContent === 'Harbor'),
  )
})

test('the query of a panel is shown with its cost and a GraphiQL link', async () => {
  await open('/block/galley-1/1041')
  await shows('Galley Sequencer')
  await page.getByRole('button', { name: /GraphQL query: Overview/ }).click()
  await shows(/\d+ points · \d+ upstream requests?/)
  const href = await page.getByRole('link', { name: 'Open in GraphiQL' }).getAttribute('href')
  const query = new URL(href ?? '', gateway.origin).searchParams.get('query')
  expect(query).toContain('query Block(')
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
})

test.each(['/nowhere/at-all', '/tx/1/2/3/4', '/block/none'])(
  '%s shows "Page not found", with status 404 and a link to the home page',
  async (path) => {
    const response = await open(path)
    expect(response?.status()).toBe(404)
    await shows('Page not found')
    await page.getByRole('main').getByRole('link', { name: 'Go to the home page' }).click()
    await shows(/Galley Sequencer/)
  },
)

test('a gateway fault is shown, and "Try again" loads the page', async () => {
  await page.route('**/graphql', (route) =>
    route.fulfill({
      json: {
        data: { chain: null },
        errors: [
          {
            message: 'Down.',
            path: ['chain'],
            extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'galley-1' },
          },
        ],
      },
    }),
  )
  await open('/chain/galley-1')
  await shows(/The indexer is not responding/)
  await page.unroute('**/graphql')
  await page.getByRole('button', { name: 'Try again' }).first().click()
  await shows('Virtual machine')
})

test('an open page recovers after the gateway is killed and restarted', async () => {
  const own = await startGateway()
  await page.goto(own.origin)
  await shows(/Galley Sequencer/)
  const heights = () => page.locator('.card .big').allTextContents()
  own.stop()
  await page.waitForFunction(() => document.querySelector('.offline'), null, { timeout: 20_000 })
  const before = await heights()
  expect(before.join('')).toMatch(/\d/)
  const next = await startGateway({ port: new URL(own.origin).port })
  await page.waitForFunction((last) => document.querySelectorAll('.card .big')[1]?.textContent !== last, before[1], {
    timeout: 40_000,
  })
  await page.locator('.offline').waitFor({ state: 'detached' })
  next.stop()
})

test('odd records break no page, and an unknown amount is not shown as zero', async () => {
  const odd = await startGateway({ isOdd: true })
  await page.goto(odd.origin)
  for (const [path] of pages()) {
    // A tab or a choice belongs to the page before it.
    if (/\?(tab|chain)=/.test(path)) await page.goto(odd.origin + path)
    else if (path !== '/') await follow(page, path)
    await page.locator('main h1, main .panel').first().waitFor()
    await page.waitForFunction(() => !document.querySelector('main .waiting'))
    expect(visit.faults, path).toEqual([])
  }
  await follow(page, `/address/${account}`)
  await shows(/balances have a price/)
  const balances = page.getByRole('region', { name: 'Balances', exact: true })
  const showAll = balances.getByRole('button', { name: /^Show all/ })
  if ((await showAll.count()) > 0) await showAll.click()
  const amounts = await balances.locator('td:nth-child(3)').allTextContents()
  expect(amounts).toContain('–')
  expect(amounts).not.toContain('0')
  odd.stop()
})

test.each([`/tx/${hash}`, '/block/galley-1/1041', `/address/${account}`])(
  'a preview of a link to %s has the title of the site',
  async (path) => {
    const titleOf = async (headers: Record<string, string>) => {
      const html = await (await fetch(gateway.origin + path, { headers })).text()
      return /<title>([^<]*)<\/title>/.exec(html)?.[1]
    }
    const accept = 'text/html'
    expect(await titleOf({ accept })).toBe('Portolan')
    expect(await titleOf({ accept, 'sec-fetch-dest': 'document' })).toBe('Portolan')
  },
)
