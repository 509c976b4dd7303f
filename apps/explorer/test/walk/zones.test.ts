import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** A page of a reader in a time zone. */
async function openIn(timezoneId: string, url: string) {
  const context = await walk.browser.newContext({ timezoneId })
  const page = await context.newPage()
  await page.goto(url)
  await page.locator('.paused-list tbody tr').first().waitFor()
  return page
}

test('a link with a time span shows the same rows in two time zones, each with its name', async () => {
  const minute = 60_000
  const end = Math.floor(Date.now() / minute) * minute - 60 * minute
  const url = `${walk.gateway.origin}/address/${account}`
  const page = await openIn('America/New_York', url)
  const field = (name: string) => page.locator('.span label', { hasText: name }).locator('input')
  const typed = (time: number) =>
    new Date(time).toLocaleString('sv', { timeZone: 'America/New_York' }).replace(' ', 'T')
  await field('From').fill(typed(end - 20 * minute).slice(0, 16))
  await field('Before').fill(typed(end).slice(0, 16))
  await page.waitForURL(/until=/)
  const { searchParams } = new URL(page.url())
  expect(Date.parse(searchParams.get('until') ?? '')).toBe(end)
  expect(await page.locator('.span small').allTextContents()).toEqual([
    expect.stringMatching(/^E[SD]T$/),
    expect.stringMatching(/^E[SD]T$/),
  ])
  const far = await openIn('Asia/Kathmandu', page.url())
  await page.reload()
  await page.locator('.paused-list tbody tr').first().waitFor()
  const rows = (of: typeof page) =>
    of.locator('.paused-list time').evaluateAll((times) => times.map((time) => (time as HTMLTimeElement).dateTime))
  const here = await rows(page)
  expect(here.length).toBeGreaterThan(0)
  await expect.poll(() => rows(far)).toEqual(here)
  for (const time of here) expect(end - Date.parse(time)).toBeGreaterThan(0)
  expect(await far.locator('.span small').allTextContents()).toEqual(['GMT+5:45', 'GMT+5:45'])
  await far.context().close()
  await page.context().close()
})
