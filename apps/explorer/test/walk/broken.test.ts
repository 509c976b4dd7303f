import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, endVisit, startBrowser, startVisit, type Visit } from './browser.ts'
import { startGateway } from './gateway.ts'

let browser: Browser
beforeAll(async () => {
  browser = await startBrowser()
})
afterAll(() => browser?.close())

/** What a test has: a visit, the origin of its gateway, and a button by its name. */
interface Broken extends Visit {
  readonly origin: string
  readonly press: (name: string) => Promise<void>
}

/** Runs with a gateway and a visit of its own: what one test has asked for would be in the cache of the next. */
async function withBroken(run: (broken: Broken) => Promise<void>): Promise<void> {
  const gateway = await startGateway()
  const visit = await startVisit(browser)
  const press = (name: string) => visit.page.getByRole('button', { name, exact: true }).click()
  try {
    await run({ ...visit, origin: gateway.origin, press })
  } finally {
    await endVisit(visit)
    gateway.stop()
  }
}

// They mostly wait, for faults to be noticed and for pages to try again, so they run at once.
test.concurrent.each(['Error 500', 'No response', 'Garbage'])(
  '"%s" on one chain does not hide other chains, and it recovers without a reload',
  (kind) =>
    withBroken(async ({ page, context, faults, origin, press, shows }) => {
      await page.goto(`${origin}/status`)
      await press(`galley-1: ${kind}`)
      await shows(/restored in \d+ s/)
      const other = await context.newPage()
      await other.goto(`${origin}/address/${account}`)
      const note = other.getByRole('note').filter({ hasText: 'galley' })
      // A page of states that stays open shows the outage, and its end.
      const state = page.getByRole('row').filter({ hasText: 'Galley' })
      await Promise.all([
        note.first().waitFor({ timeout: 30_000 }),
        state.getByText('down').waitFor({ timeout: 40_000 }),
      ])
      // What the other chains have is there.
      await other.getByRole('link', { name: 'Harbor', exact: true }).first().waitFor()
      await other.locator('.paused-list tbody tr').nth(5).waitFor()
      await press(`galley-1: ${kind}`)
      await page.getByText(/restored in/).waitFor({ state: 'detached' })
      await expect.poll(() => note.count(), { timeout: 60_000, message: 'the chain is back' }).toBe(0)
      await other.getByRole('link', { name: 'Galley', exact: true }).first().waitFor()
      await state.getByText('OK').waitFor({ timeout: 40_000 })
      expect(faults).toEqual([])
    }),
  120_000,
)

test.concurrent('a broken router does not hide chains, and the quote page shows a note', () =>
  withBroken(async ({ page, origin, press, shows }) => {
    await page.goto(`${origin}/status`)
    await press('router: Error 500')
    await shows(/restored in \d+ s/)
    await page.goto(`${origin}/block/harbor-1/1041`)
    await shows('Harbor')
    await page.goto(`${origin}/quote`)
    await page.getByRole('note').first().waitFor({ timeout: 30_000 })
  }))

test.concurrent('blocks of a chain that was down recover, and are not shown as live before', () =>
  withBroken(async ({ page, context, origin, press, shows }) => {
    await page.goto(`${origin}/status`)
    await press('galley-1: Error 500')
    await shows(/restored in \d+ s/)
    const other = await context.newPage()
    await other.goto(`${origin}/chain/galley-1`)
    const blocks = other.getByRole('region', { name: 'Blocks', exact: true })
    await blocks.getByRole('note').waitFor({ timeout: 30_000 })
    expect(await blocks.getByText('live', { exact: true }).count()).toBe(0)
    await press('galley-1: Error 500')
    await blocks.locator('tbody tr').nth(5).waitFor({ timeout: 30_000 })
    await blocks.getByText('live', { exact: true }).waitFor()
    expect(await blocks.getByRole('note').count()).toBe(0)
  }))
