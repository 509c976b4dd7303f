import { expect, test } from 'vitest'
import { account, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

// biome-ignore lint/suspicious/noExplicitAny: answers of any document
type Answer = any

/** Makes the newest transfers of the page those of a stranger, of nothing. */
const withDust = (count: number) =>
  walk.visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    if (!response.headers()['content-type']?.includes('json')) return route.fulfill({ response })
    const json = await response.json()
    const nodes = json.data?.account?.activity?.edges.map(({ node }: Answer) => node) ?? []
    for (const node of nodes.slice(0, count)) {
      if (!node?.changes) continue
      node.signers = [{ account: { address: 'init17xpfvakm2amg962yls6f84z3kell8c5l70rnql' } }]
      if (node.from) node.from.address = '0xf1829676db577682e944fc3493d451b67ff3e29f'
      node.changes = [
        {
          ...node.changes[0],
          kind: 'COIN',
          amount: '0',
          formattedAmount: '0',
          tokenId: null,
          objectAddress: null,
          asset: null,
        },
      ]
    }
    await route.fulfill({ response, json })
  })

test.each(screens)(
  'at %i px, %s: amounts of 0 from others are hidden, counted, and shown by a press',
  async (...screen) => {
    const { page, shows, faults } = walk.visit
    await setScreen(page, screen)
    await withDust(3)
    await page.goto(`${walk.gateway.origin}/address/${account}`)
    // The account has some of its own, more or fewer as time goes by.
    const note = /^(\d+) rows are hidden: others moved only amounts of 0 or unlisted tokens\./
    await shows(note)
    const hidden = Number(note.exec((await page.getByText(note).first().textContent()) ?? '')?.[1])
    expect(hidden).toBeGreaterThanOrEqual(3)
    const rows = page.locator('.paused-list tbody tr')
    const before = await rows.count()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.waitForURL(/dust=show/)
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(before + hidden)
    // A link has the choice.
    await page.reload()
    await rows.nth(3).waitFor()
    expect(await page.getByText(/rows are hidden/).count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
    expect(faults).toEqual([])
  },
)

test.each(['', 'transfers'])(
  'a direction and another address are chosen of the list %s, and kept in the link',
  async (tab) => {
    const { page } = walk.visit
    await page.goto(`${walk.gateway.origin}/address/${account}?tab=${tab}&direction=out`)
    const rows = page.getByRole('tabpanel').locator('tbody tr')
    await rows.first().waitFor()
    const all = await rows.allTextContents()
    if (tab === 'transfers') for (const text of all) expect(text).toMatch(/^Out/)
    const party = await rows.first().locator('a[href^="/address/"]').last().getAttribute('href')
    const address = party?.split('/').at(-1) ?? ''
    const field = page.getByRole('searchbox', { name: 'Other address' })
    await field.fill(address)
    await field.press('Enter')
    await page.waitForURL(new RegExp(`party=${address}`))
    await expect.poll(() => rows.count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => page.url()).not.toContain('direction')
  },
)

test('on a phone, the filters are folded and take one line', async () => {
  const { page } = walk.visit
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${walk.gateway.origin}/address/${account}?kind=send`)
  const summary = page.getByText('Filters (1)', { exact: true })
  await summary.waitFor()
  expect(await page.getByLabel('Type', { exact: true }).isVisible()).toBe(false)
  await summary.click()
  expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('send')
})
