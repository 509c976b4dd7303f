import { expect, test } from 'vitest'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** The account of the sandbox whose coins go between its chains in every way. */
const traveller = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'

test.each([1_440, 390])(
  'at %i px, an account has its bridge transfers, and each end is one click away',
  async (width) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${walk.gateway.origin}/address/${traveller}?tab=bridges`)
    const table = page.getByRole('table', { name: 'Bridge transfers' })
    await table.locator('tbody tr').nth(5).waitFor()
    const texts = await table.locator('tbody tr').allTextContents()
    expect(texts.filter((row) => row.includes('→')).length).toBe(texts.length)
    expect(texts.some((row) => row.includes('Arrived'))).toBe(true)
    const arrived = table.locator('tbody tr', { hasText: 'Arrived' }).first()
    await arrived.locator('a[href^="/tx/"]').click()
    const story = page.locator('section', { has: page.getByRole('heading', { name: 'Bridge transfers' }) })
    await story.getByText('Received by').waitFor()
    const links = await story
      .locator('.ends a[href^="/tx/"]')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toHaveLength(2)
    await story.locator('.ends a[href^="/tx/"]').last().click()
    await page.waitForURL(`**${links[1]}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    expect(faults).toEqual([])
  },
)
