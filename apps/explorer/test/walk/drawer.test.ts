import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endVisit, startBrowser, startVisit, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'

let browser: Browser
let visit: Visit

beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  visit = await startVisit(browser)
})
afterEach(() => endVisit(visit))

describe('with required API keys', () => {
  let gateway: Awaited<ReturnType<typeof startGateway>>
  beforeAll(async () => {
    gateway = await startGateway({
      settings: { API_KEYS: 'desk=a-secret-key-of-a-desk', REQUIRE_API_KEY: 'true' },
    })
  })
  afterAll(() => gateway?.stop())

  test('the API key is sent with every request, and only in the same tab', async () => {
    const { page, shows, context } = visit
    await page.goto(`${gateway.origin}/block/galley-1/1041`)
    await shows('This gateway requires an API key.')
    await page.getByLabel('API key').first().fill('a-secret-key-of-a-desk')
    await page.getByRole('button', { name: 'Use this key' }).first().click()
    await shows('Galley Sequencer')
    // The first queries, and the socket, have it too.
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql')) keys.push(request.headers().authorization)
    })
    await page.goto(gateway.origin)
    await shows(/Galley Sequencer/)
    expect(new Set(keys)).toEqual(new Set(['Bearer a-secret-key-of-a-desk']))
    const height = page.locator('.card .big').nth(1)
    const before = await height.textContent()
    await expect.poll(() => height.textContent(), { timeout: 15_000 }).not.toBe(before)
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain('secret')
    const other = await context.newPage()
    await other.goto(`${gateway.origin}/status`)
    await other.getByText('This gateway requires an API key.').first().waitFor()
    await page.goto(`${gateway.origin}/status`)
    await page.getByRole('button', { name: 'Remove the key' }).click()
    await shows('This gateway requires an API key.')
  })
})

test('the drawer shows the age of the answer, and copies code without the API key', async () => {
  const gateway = await startGateway()
  const { page, shows, context } = visit
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${gateway.origin}/block/galley-1/1041`)
  await page.evaluate(() => sessionStorage.setItem('portolan:key', 'secret'))
  await page.reload()
  await page.getByRole('button', { name: /GraphQL query: Overview/ }).click()
  await shows(/^Loaded .+\.$/)
  const copied = async (name: string) => {
    await page.getByRole('button', { name }).first().click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  const code = await copied('Copy as client code')
  expect(code).toContain(`createClient({ url: "${gateway.origin}/graphql" })`)
  expect(code).toContain('"height": 1041')
  const curl = await copied('Copy as curl')
  expect(curl).toContain('authorization: Bearer $KEY')
  expect(code + curl).not.toContain('secret')
  gateway.stop()
})
