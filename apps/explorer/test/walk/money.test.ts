import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { follow, transfer } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** The account of the sandbox whose coins go between its chains in every way. */
const traveller = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'

interface Movement {
  readonly bridge: string
  readonly state: string
  readonly isWithdrawal: boolean
  readonly reason: string | null
  readonly guidance: { readonly funds: string; readonly sentence: string }
  readonly onward: object | null
  readonly departure: { readonly chainId: string; readonly hash: string | null }
}

type Kind = readonly [name: string, has: (movement: Movement) => boolean, story: RegExp]

const isBack = ({ state, guidance }: Movement) => state === 'REFUNDED' && guidance.funds === 'RETURNED'

/** What can become of coins, how it is found, and what a page says of it. */
const kinds: readonly Kind[] = [
  ['arrived', ({ bridge, state }) => bridge === 'IBC' && state === 'ARRIVED', /^Arrived$/],
  ['arrived by IBC v2', ({ bridge, state }) => bridge === 'EUREKA' && state === 'ARRIVED', /^Arrived$/],
  ['refused', (of) => of.bridge === 'IBC' && isBack(of) && !of.onward, /^Refused and returned$/],
  ['refused by IBC v2', (of) => of.bridge === 'EUREKA' && isBack(of), /^Refused and returned$/],
  ['timed out', ({ state }) => state === 'TIMED_OUT', /^Timed out and returned$/],
  [
    'deposited',
    (of) => of.bridge === 'OPINIT' && !of.isWithdrawal && of.state === 'ARRIVED' && !of.reason,
    /^Arrived$/,
  ],
  ['deposited, with a hook that failed', ({ reason }) => reason?.startsWith('hook failed') === true, /^Arrived$/],
  [
    'a refused deposit',
    ({ reason }) => reason?.startsWith('deposit failed') === true,
    /^Refused(, not back yet| and returned)$/,
  ],
  [
    'a withdrawal without a claim',
    (of) => of.isWithdrawal && /^(UNKNOWN|ON_THE_WAY)$/.test(of.state),
    /^(No claim found|Waits for its claim)$/,
  ],
  ['a claimed withdrawal', (of) => of.isWithdrawal && of.state === 'ARRIVED', /^Arrived$/],
  [
    'passed on',
    ({ state, guidance }) => state === 'PASSED_ON' && guidance.funds === 'DELIVERED',
    /^Passed on · Arrived$/,
  ],
]

/** The result of a transfer, by where its funds are. */
const results: Readonly<Record<string, string>> = {
  DELIVERED: 'Arrived',
  RETURNED: 'Returned',
  CLAIMABLE: 'To be claimed',
}

/** A movement of each kind, the newest one. A gateway that has just started lacks chains that do not answer yet. */
async function newestOfEachKind(): Promise<ReadonlyMap<string, Movement>> {
  const found = new Map<string, Movement>()
  const findMissing = async () => {
    const { account } = await walk.gateway.query(
      `{ account(address: "${traveller}") { bridgeTransfers(first: 60) { nodes { bridge state isWithdrawal reason
        guidance { funds sentence } onward { bridge } departure { chainId hash } } } } }`,
    )
    for (const [name, has] of kinds) {
      const movement = account.bridgeTransfers.nodes.find((one: Movement) => one.departure.hash !== null && has(one))
      if (movement) found.set(name, movement)
    }
    return kinds.map(([name]) => name).filter((name) => !found.has(name))
  }
  await expect.poll(findMissing, { timeout: 60_000, interval: 1_000 }).toEqual([])
  return found
}

const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** What a fact of the overview says. Undefined if the page has none of this name. */
async function fact(page: Page, name: string): Promise<string | undefined> {
  const row = panel(page, 'Overview')
    .locator('.facts > div')
    .filter({ has: page.locator('dt', { hasText: name }) })
  return (await row.count()) > 0 ? ((await row.locator('dd').textContent()) ?? undefined) : undefined
}

/** The story of a movement: what was moved and what became of it, why, and its ends. Without ages. */
async function storyOn(page: Page): Promise<readonly string[]> {
  const story = panel(page, 'Bridge transfers').locator('.message').first()
  await story.waitFor()
  const texts = await story.locator('.story, p.bad, .ends > li').allTextContents()
  return texts.filter((text) => !text.startsWith('Track')).map((text) => text.replace(/\d+[smhd] ago/g, ''))
}

test.each([1_440, 390])(
  'at %i px, a pasted hash of each kind tells the same story on the pages of its transaction and of its transfer',
  async (width) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    const found = await newestOfEachKind()
    await page.goto(walk.gateway.origin)
    for (const [name, , word] of kinds) {
      const { departure, guidance } = found.get(name) as Movement
      await page.getByRole('combobox').fill(departure.hash ?? '')
      await page.getByRole('combobox').press('Enter')
      await page.waitForURL((url) => url.pathname.endsWith(departure.hash ?? ''))
      const told = await storyOn(page)
      const isEnded = /^(DELIVERED|RETURNED)$/.test(guidance.funds)
      // Nobody is sent to look for what has ended.
      const track = page.getByRole('link', { name: 'Track this transfer' })
      expect(await track.count(), name).toBe(isEnded ? 0 : 1)
      if (isEnded) await follow(page, `/transfer/${departure.chainId}/${departure.hash}`)
      else await track.click()
      await page.waitForURL(/\/transfer\//)
      expect(await storyOn(page), name).toEqual(told)
      await panel(page, 'Bridge transfers').locator('.story').getByText(word).first().waitFor()
      await expect.poll(() => fact(page, 'Result'), { message: name }).toBe(results[guidance.funds])
      const where = await fact(page, 'Where it is')
      if (isEnded)
        expect(where, name).toContain(
          guidance.sentence
            .split('. ')
            .at(-1)
            ?.replace(/^Claimed|\.$/g, ''),
        )
      else expect(where, name).toMatch(/\bclaim/)
      // The word of a router that says something else has its name beside it.
      const text = (await page.locator('main').textContent()) ?? ''
      if (isEnded)
        expect(text.replace(/The router says[^.]*\./g, ''), name).not.toMatch(
          /pending|in transit|Not delivered to \w+ yet|Ask for help/,
        )
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width)
    }
    expect(faults).toEqual([])
  },
  240_000,
)

test.each([1_440, 390])('at %i px, a pasted hash of no indexed chain leads to what the router says', async (width) => {
  const { page } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  await page.goto(walk.gateway.origin)
  await page.getByRole('combobox').fill(transfer)
  await page.getByRole('combobox').press('Enter')
  await walk.visit.shows(/No indexed chain has this hash/)
  await page.getByRole('link', { name: 'Osmosis', exact: true }).first().click()
  await page.waitForURL(/\/transfer\/osmosis-1\//)
  await panel(page, 'Hops').waitFor()
  // No chain has a record of it: nothing is proven.
  expect(await panel(page, 'Bridge transfers').count()).toBe(0)
  expect(await page.locator('main').textContent()).not.toContain('records of the chains')
})

test('a press shows all digits of an amount of a quote, beside the worth of the minimum', async () => {
  const { page } = walk.visit
  await page.setViewportSize({ width: 390, height: 900 })
  // An asset of 18 decimals.
  const query = 'from=harbor-1&asset=uinit&to=1&for=ethereum-native&amount=250'
  let route: { amountOut: string; assetOut: { decimals: number } } | undefined
  page.on('response', async (response) => {
    if (!response.url().endsWith('/graphql')) return
    route ??= (await response.json().catch(() => undefined))?.data?.route
  })
  await page.goto(`${walk.gateway.origin}/quote?${query}`)
  const table = page.getByRole('table', { name: 'Amounts and fees' })
  const cellsOf = (name: string) => table.locator('tr', { hasText: name }).first().locator('td').allTextContents()
  await table.waitFor()
  await expect.poll(() => route).toBeDefined()
  const digits = route?.amountOut.replace(/0+$/, '') ?? ''
  const digitsOf = (text: string | null) => text?.replaceAll(/[^\d]/g, '').replace(/^0+/, '')
  const amount = table.locator('tr', { hasText: 'You receive' }).first().getByRole('button')
  const [, shown = ''] = await cellsOf('You receive')
  expect(digits.startsWith(digitsOf(shown) ?? '?')).toBe(true)
  expect(digitsOf(shown)?.length).toBe(6)
  const line = await amount.boundingBox()
  expect(await amount.getAttribute('aria-label')).toBe(`${shown}, all digits: ${await amount.getAttribute('title')}`)
  expect(digitsOf(await amount.getAttribute('title'))).toBe(digits)
  await amount.press('Enter')
  await expect.poll(async () => digitsOf(await amount.textContent())).toBe(digits)
  expect(line?.height).toBeLessThan(32)
  const [, , , worth = ''] = await cellsOf('Minimum received')
  expect(worth).toMatch(/^\$[\d,]+\.\d\d$/)
})
