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
    const note =
      /^(\d+) rows are hidden: others moved only amounts of 0, unlisted tokens or NFTs of unlisted collections\./
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

/** Whether all balance changes of a transaction are of tokens that nobody lists, with an NFT among them. */
const isAirdrop = ({ signers, changes }: Answer) =>
  signers[0].account.hexAddress !== '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817' &&
  changes.some(({ tokenId }: Answer) => tokenId != null) &&
  changes.every(({ collection, asset }: Answer) => collection?.name === '' || (!collection && !asset?.isListed))

test('NFTs of an unlisted collection from others are hidden in both lists, and named by its address once shown', async () => {
  const { page, shows } = walk.visit
  const { account: found } = await walk.gateway.query(`{ account(address: "${account}") {
    activity(first: 100, filter: { chainIds: ["galley-1"] }) { nodes { hash ... on Transaction {
      signers { account { hexAddress } }
      changes: balanceChanges(address: "${account}") { tokenId collection { address name } asset { isListed } } } } } } }`)
  const drop = found.activity.nodes.find(isAirdrop)
  const { address } = drop.changes.find(({ tokenId }: Answer) => tokenId != null).collection
  const first = new URLSearchParams({ chain: 'galley-1' })
  for (const tab of ['activity', 'transfers']) {
    first.set('tab', tab)
    await page.goto(`${walk.gateway.origin}/address/${account}?${first}`)
    await shows(/rows? (is|are) hidden/)
    const row = page.getByRole('tabpanel').locator('tbody tr', { has: page.locator(`a[href*="${drop.hash}"]`) })
    // Rows above it are there, so that it would be too.
    await expect.poll(() => page.getByRole('tabpanel').locator('tbody tr').count()).toBeGreaterThan(3)
    expect(await row.count()).toBe(0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    const more = page.getByRole('button', { name: 'Load more' })
    while ((await row.count()) === 0 && (await more.count()) > 0) await more.click().catch(() => {})
    const link = row.locator(`a[href*="/nft/galley-1/${address}/"]`).first()
    expect(await link.textContent()).toMatch(new RegExp(`NFT ?${address}`))
  }
})

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
