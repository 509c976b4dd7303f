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
    await story.getByText('Received by').first().waitFor()
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

interface End {
  readonly address: string | null
  readonly formattedAmount: string | null
  readonly usdValue: string | null
}

test.each([1_440, 390])(
  'at %i px, each of its rows has the direction, the amount as it arrived, the sender and the worth',
  async (width) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${walk.gateway.origin}/address/${traveller}?tab=bridges`)
    const rows = page.getByRole('table', { name: 'Bridge transfers' }).locator('tbody tr')
    await rows.nth(5).waitFor()
    const { account } = await walk.gateway.query(
      `{ account(address: "${traveller}") { bridgeTransfers(first: 50) { nodes { state
        departure { hash address formattedAmount usdValue } arrival { hash address formattedAmount usdValue } } } } }`,
    )
    const byHash = new Map<string, { state: string; departure: End; arrival: End }>(
      account.bridgeTransfers.nodes.map((node: { departure: { hash: string }; arrival: { hash: string } }) => [
        node.departure.hash ?? node.arrival.hash,
        node,
      ]),
    )
    let compared = 0
    for (const row of await rows.all()) {
      const text = (await row.textContent())?.replaceAll('\u00a0', ' ') ?? ''
      expect(text).toMatch(/^(In|Out|To itself) [\d,.]+ /)
      expect(text).toMatch(/\$\d|value unknown/)
      const href = await row.locator('a[href^="/tx/"]').getAttribute('href')
      const known = byHash.get(href?.split('/').at(-1) ?? '')
      // One that came meanwhile, or whose other end was not read yet.
      if (known?.state !== 'ARRIVED' || !text.includes('Arrived')) continue
      const { departure, arrival } = known
      compared++
      if (arrival.formattedAmount) expect(text).toContain(` ${Number(arrival.formattedAmount)} `)
      expect(text.includes('value unknown')).toBe((arrival.usdValue ?? departure.usdValue) === null)
      expect(await row.locator('a[href^="/address/"]').first().getAttribute('href')).toBe(
        `/address/${departure.address}`,
      )
    }
    expect(compared).toBeGreaterThan(3)
    expect(faults).toEqual([])
  },
)
