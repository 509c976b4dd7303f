import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endVisit, startBrowser, startVisit } from './browser.ts'
import { startGateway } from './gateway.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** Opens a page of a gateway of its own, which can be killed and started again in its place. */
async function openAt(path: string) {
  let gateway = await startGateway()
  const { origin } = gateway
  const visit = await startVisit(browser)
  await visit.page.goto(origin + path)
  return {
    ...visit,
    kill: () => gateway.stop(),
    async restart() {
      gateway = await startGateway({ port: new URL(origin).port })
    },
    async [Symbol.asyncDispose]() {
      await endVisit(visit)
      gateway.stop()
    },
  }
}

const banner = /^Connection lost/
const unloaded = /^This part of the explorer could not be loaded/

test.concurrent('a page that is opened while the gateway is away says so, and appears once it is back', async () => {
  await using opened = await openAt('/')
  const { page, shows } = opened
  await shows(/Galley Sequencer/)
  opened.kill()
  await page.getByRole('link', { name: 'Assets' }).click()
  await page.getByRole('alert').filter({ hasText: unloaded }).waitFor()
  await shows(banner)
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1)
  await opened.restart()
  await page.getByText('$3,200.00').first().waitFor({ timeout: 40_000 })
  await page.getByText(banner).waitFor({ state: 'detached', timeout: 40_000 })
})

test.concurrent('a page without live parts says that the connection is lost, and so does the next', async () => {
  await using opened = await openAt('/assets')
  const { page, shows } = opened
  await shows('$3,200.00')
  opened.kill()
  await page.getByText(banner).waitFor({ timeout: 30_000 })
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await shows(unloaded)
  await shows(banner)
  await opened.restart()
  await page.getByText('Max cost per operation').waitFor({ timeout: 40_000 })
  await page.getByText(banner).waitFor({ state: 'detached', timeout: 40_000 })
})

test.concurrent('a page whose script is gone after a new deployment is loaded anew, once', async () => {
  await using opened = await openAt('/')
  const { page, shows } = opened
  await shows(/Galley Sequencer/)
  let documents = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents++
  })
  const gone = { status: 404, body: '' }
  // The new site has the script again, under another name.
  await page.route('**/assets/Assets-*.js', (route) => (documents === 0 ? route.fulfill(gone) : route.continue()))
  await page.getByRole('link', { name: 'Assets' }).click()
  await shows('$3,200.00')
  expect(documents).toBe(1)
  // A site that lacks the script for good is not loaded for ever.
  await page.route('**/assets/Status-*.js', (route) => route.fulfill(gone))
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await expect.poll(() => documents, { timeout: 15_000 }).toBe(2)
  await page.getByRole('alert').filter({ hasText: unloaded }).waitFor()
  await page.getByRole('link', { name: 'Assets' }).click()
  await shows('$3,200.00')
  expect(documents).toBe(2)
})

test.concurrent('a drawer whose script cannot be loaded leaves its page where it is', async () => {
  await using opened = await openAt('/assets')
  const { page, shows } = opened
  await shows('$3,200.00')
  opened.kill()
  await page
    .getByRole('button', { name: /^Operation|behind|query/i })
    .first()
    .click()
  await shows(unloaded)
  await shows('$3,200.00')
})

test.concurrent('a page that cannot be shown says so, and the others are shown', async () => {
  await using opened = await openAt('/')
  const { page, shows } = opened
  await shows(/Galley Sequencer/)
  await page.route('**/assets/Assets-*.js', async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    // The page of the module is its export, which fails when it is called.
    const failing = body.replace(
      /export\{(\w+) as Assets\}/,
      'const failing=()=>{throw Error("odd")};export{failing as Assets}',
    )
    expect(failing).not.toBe(body)
    await route.fulfill({ response, body: failing })
  })
  await page.getByRole('link', { name: 'Assets' }).click()
  await shows('This page could not be shown.')
  // The console has the fault.
  expect(opened.faults).toEqual(['odd'])
  await page.getByRole('link', { name: 'Status', exact: true }).click()
  await shows('Max cost per operation')
})
