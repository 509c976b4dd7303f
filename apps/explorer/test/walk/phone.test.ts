import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

test.each(['light', 'dark'] as const)('on a phone, %s: the header has two rows on each page', async (colorScheme) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme })
  for (const path of ['/', `/address/${account}`, '/status']) {
    await page.goto(walk.gateway.origin + path)
    // With all links, and the mark of the sandbox.
    await page.locator('nav a[href="/assets"]').waitFor()
    const tops = await page
      .locator('.top > :not(.brand), .top nav a')
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)))
    const rows = new Set(tops.map((bottom) => Math.round(bottom / 24)))
    expect(rows.size).toBeLessThanOrEqual(3)
    const box = await page.locator('.top').boundingBox()
    expect(box?.height).toBeLessThanOrEqual(84)
  }
  expect(faults).toEqual([])
})

test('on a phone, addresses keep four characters after the prefix and at the end, and cells have labels', async () => {
  const { page } = walk.visit
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${walk.gateway.origin}/address/${account}?tab=transfers`)
  const row = page.getByRole('table', { name: 'Token transfers' }).locator('tbody tr').first()
  await row.waitFor()
  const shown = await row.locator('.middle-ellipsis').evaluateAll((all) =>
    all.map((one) =>
      [...one.childNodes]
        .filter((part) => !(part instanceof Element) || getComputedStyle(part).fontSize !== '0px')
        .map((part) => part.textContent)
        .join('…'),
    ),
  )
  expect(shown.length).toBeGreaterThan(0)
  for (const text of shown) expect(text).toMatch(/^(0x|[a-z]{1,20}1|)[\dA-Za-z]{4}…[\dA-Za-z]{4}$/)
  const labels = await row.locator('td').evaluateAll((all) =>
    all.map((one) =>
      getComputedStyle(one, '::before')
        .content.replace(/["/]| $/g, '')
        .trim(),
    ),
  )
  expect(labels).toEqual(['none', 'Chain', 'Hash', 'Account', 'none'])
})
