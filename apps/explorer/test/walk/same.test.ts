import { expect, test } from 'vitest'
import { account, hash } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

test.each(['light', 'dark'] as const)(
  '%s: equal addresses light up together, by pointer and by focus',
  async (colorScheme) => {
    const { page, faults } = walk.visit
    await page.emulateMedia({ colorScheme })
    await page.goto(`${walk.gateway.origin}/tx/${hash}`)
    const links = page.locator('main a[href^="/address/"]')
    await links.first().waitFor()
    const lit = () =>
      links.evaluateAll((all) =>
        all.filter((one) => getComputedStyle(one).boxShadow !== 'none').map((one) => one.getAttribute('href')),
      )
    expect(await lit()).toEqual([])
    await links.first().hover()
    const together = await lit()
    expect(together.length).toBeGreaterThan(1)
    await page.getByRole('heading', { level: 1 }).hover()
    expect(await lit()).toEqual([])
    await links.first().focus()
    expect(await lit()).toEqual(together)
    expect(faults).toEqual([])
  },
)

test('an address lights up in its other spelling too', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/address/${account}`)
  await page.locator('.paused-list tbody tr').first().waitFor()
  await page.evaluate(
    (paths) => {
      for (const href of paths)
        document.querySelector('h1')?.append(Object.assign(document.createElement('a'), { href, text: href }))
    },
    [`/address/${account}`, '/contract/galley-1/0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'],
  )
  await page.locator('h1 a').first().hover()
  for (const link of await page.locator('h1 a').all())
    expect(await link.evaluate((one) => getComputedStyle(one).boxShadow)).not.toBe('none')
})
