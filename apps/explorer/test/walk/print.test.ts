import { expect, test } from 'vitest'
import { account, hash } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

test.each([
  [`/tx/${hash}`, '.facts dd'],
  [`/address/${account}`, '.paused-list tbody tr'],
  ['/quote?from=harbor-1&asset=uinit&to=1&for=ethereum-native&amount=250', '.price .brief'],
])('%s is printed with its address and its folded parts, without the header and buttons', async (path, shown) => {
  const { page, faults } = walk.visit
  await page.emulateMedia({ colorScheme: 'dark' })
  // A4 without its margins.
  await page.setViewportSize({ width: 718, height: 1_046 })
  await page.goto(walk.gateway.origin + path)
  await page.locator(shown).first().waitFor()
  const folded = page.locator('main details:not([open]) > :not(summary):visible')
  expect(await folded.count()).toBe(0)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const address = page.locator('.printed')
  await address.waitFor()
  expect(await address.textContent()).toBe(page.url())
  expect(await page.locator('.top').isVisible()).toBe(false)
  // An amount of a quote is a button, which paper shows as any other.
  expect(await page.locator('main button:visible:not(.brief, th button)').count()).toBe(0)
  const closed = await page.locator('main details:not(.choices)').evaluateAll((all) =>
    all.filter((part) => {
      const [, content] = part.children
      return !part.parentElement?.matches('.panel:has(> details > pre)') && content?.clientHeight === 0
    }),
  )
  expect(closed).toEqual([])
  if (path.startsWith('/tx')) expect(await folded.count()).toBeGreaterThan(0)
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(718)
  const cells = page.locator('td.what')
  expect(await cells.evaluateAll((all) => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length)).toBe(0)
  expect(faults).toEqual([])
})
