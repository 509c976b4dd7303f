import { expect, test } from 'vitest'
import { openVisits } from './visits.ts'

const walk = openVisits()

test.each([
  ['/', 1_440, 'light'],
  ['/chain/galley-1', 1_440, 'dark'],
  ['/chain/galley-1', 390, 'light'],
] as const)('the plot of %s at %i px, %s, has an axis, block heights and bars', async (path, width, colorScheme) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  await page.goto(walk.gateway.origin + path)
  const plot = page.locator('.block-plot').first()
  await plot.waitFor()
  await plot.getByText(/^Transactions per block · [\d.]+ on average$/).waitFor()
  // Read at once: a new block changes all of them.
  const { label, axis, heights, hints } = await plot.evaluate((it) => {
    const textsOf = (selector: string) => [...it.querySelectorAll(selector)].map((each) => each.textContent ?? '')
    return {
      label: it.querySelector('[role=img]')?.getAttribute('aria-label'),
      axis: textsOf('.axis span'),
      heights: textsOf('.range .height'),
      hints: textsOf('.hint title'),
    }
  })
  expect(label).toMatch(/^Transactions per block of \S+, blocks [\d,]+ to [\d,]+: at most \d+$/)
  expect(axis).toEqual([label?.match(/\d+$/)?.[0], '0'])
  expect(label).toContain(`blocks ${heights.join(' to ')}`)
  expect(hints.length).toBeGreaterThanOrEqual(30)
  expect(hints.every((hint) => /^Block [\d,]+: \d transactions?$/.test(hint))).toBe(true)
  // The highest bar is as high as the plot, and none is wider than its place.
  const plotted = await plot.locator('svg').evaluate((svg) => ({
    place: svg.getBoundingClientRect(),
    bars: [...svg.querySelectorAll('rect:not(.hint)')].map((bar) => bar.getBoundingClientRect()),
  }))
  const highest = Math.max(...plotted.bars.map(({ height }) => height))
  expect(highest / plotted.place.height).toBeGreaterThan(0.95)
  expect(plotted.bars.at(-1)?.right).toBeLessThanOrEqual(plotted.place.right + 1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  expect(faults).toEqual([])
})

test('a new block is added at the end of the plot', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/chain/galley-1`)
  const last = page.locator('.block-plot .range .height').last()
  await last.waitFor()
  const before = await last.textContent()
  await expect.poll(() => last.textContent(), { timeout: 15_000 }).not.toBe(before)
})

test('on a phone, the home page draws no charts', async () => {
  const { page } = walk.visit
  await page.setViewportSize({ width: 390, height: 900 })
  await page.goto(walk.gateway.origin)
  await page.locator('.card .big a').first().waitFor()
  expect(await page.locator('.card .block-plot').count()).toBe(0)
})
