import { expect, test } from 'vitest'
import { account, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const date = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
const age = /^(now|\d+[smhd] ago)$/

test.each(screens)(
  'at %i px, %s: a press on the head of ages shows dates on all pages, and ages again',
  async (...screen) => {
    const { page, faults } = walk.visit
    await setScreen(page, screen)
    const times = () => page.locator('main td time').allTextContents()
    await page.goto(`${walk.gateway.origin}/address/${account}`)
    const rows = page.getByRole('table', { name: 'Activity', exact: true })
    await rows.locator('td time').first().waitFor()
    for (const text of await times()) expect(text).toMatch(age)
    // The keyboard is enough.
    await rows.getByRole('button', { name: 'Age', exact: true }).focus()
    await page.keyboard.press('Enter')
    await rows.getByRole('button', { name: 'Date', exact: true }).waitFor()
    for (const text of await times()) expect(text).toMatch(date)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
    // A later visit to another page has them too.
    await page.goto(walk.gateway.origin)
    await page.locator('main td time').first().waitFor()
    for (const text of await times()) expect(text).toMatch(date)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
    await page.getByRole('button', { name: 'Date', exact: true }).first().click()
    for (const text of await times()) expect(text).toMatch(age)
    expect(faults).toEqual([])
  },
)
