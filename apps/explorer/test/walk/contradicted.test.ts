import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { openVisits } from './visits.ts'

// Where the records of the chains prove something else than the router says, both are said with their sources. The sandbox has a
// router that calls a refused deposit a success. Other words of the router are put into the answers on their way to the page.

const walk = openVisits()

const traveller = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'

interface Movement {
  readonly bridge: string
  readonly state: string
  readonly isWithdrawal: boolean
  readonly reason: string | null
  readonly departure: { readonly chainId: string; readonly hash: string }
  readonly arrival: { readonly chainId: string }
}

const arrived = ({ state, isWithdrawal, reason }: Movement) => state === 'ARRIVED' && !isWithdrawal && !reason
const refused = ({ state, bridge }: Movement) => state === 'REFUNDED' && bridge === 'OPINIT'

/** The newest movement of a kind. A gateway that has just started lacks chains that do not answer yet. */
async function find(has: (movement: Movement) => boolean): Promise<Movement> {
  let found: Movement | undefined
  const look = async () => {
    const { account } = await walk.gateway.query(
      `{ account(address: "${traveller}") { bridgeTransfers(first: 60) { nodes { bridge state isWithdrawal reason
        departure { chainId hash } arrival { chainId } } } } }`,
    )
    found = account.bridgeTransfers.nodes.find((one: Movement) => one.departure.hash && has(one))
    return found !== undefined
  }
  await expect.poll(look, { timeout: 60_000, interval: 1_000 }).toBe(true)
  return found as unknown as Movement
}

type Answer = Record<string, unknown> & { hops: Record<string, unknown>[]; guidance: object }

/** Changes what the graph says of each transfer, and of each movement of a transaction. */
async function doctor(page: Page, transfer: (of: Answer) => object, movement: object): Promise<void> {
  const change = (socket: WebSocketRoute) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      const event = JSON.parse(String(message))
      const found = event.payload?.data?.transfer
      if (event.type === 'next' && found) Object.assign(found, transfer(found))
      socket.send(JSON.stringify(event))
    })
  }
  await page.routeWebSocket('**/graphql', change)
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    for (const one of json.data?.transaction?.bridgeTransfers ?? []) Object.assign(one, movement)
    await route.fulfill({ response, json })
  })
}

const overview = (page: Page) => page.getByRole('region', { name: 'Overview', exact: true })
const story = (page: Page) => page.getByRole('region', { name: 'Bridge transfers', exact: true })
const hops = (page: Page) => page.getByRole('region', { name: 'Hops', exact: true })

/** A router that still calls on its way what has arrived. */
const late = (page: Page) => {
  const contradiction = 'The router says that it is on its way.'
  const transfer = ({ guidance, hops }: Answer) => ({
    guidance: { ...guidance, contradiction },
    hops: hops.map((hop) => ({ ...hop, reportedState: 'PENDING' })),
  })
  return doctor(page, transfer, { transfer: { outcome: 'SUCCEEDED', guidance: { contradiction } } })
}

const kinds = [
  { has: arrived, router: late, said: 'that it is on its way', hop: 'pending', told: 'Arrived', state: /^Arrived$/ },
  {
    ...{ has: refused, router: async () => {}, said: 'that it arrived', hop: 'completed' },
    ...{ told: 'Returned', state: /^Refused and returned$/ },
  },
] as const

test.each([1_440, 390].flatMap((width) => kinds.map((kind) => ({ width, ...kind }))))(
  'at $width px, the proof is first, then the word of the router: $told',
  async ({ width, has, router, said, hop, told, state }) => {
    const { page, faults } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    const { departure } = await find(has)
    await router(page)
    const sentence = `The router says ${said}. The records of the chains prove otherwise.`
    const at = `${departure.chainId}/${departure.hash}`
    // The router of the sandbox knows a transfer once somebody has followed it.
    await page.goto(`${walk.gateway.origin}/transfer/${at}`)
    await overview(page).getByText(sentence).waitFor()
    const facts = await overview(page).locator('.facts > div').allTextContents()
    expect(facts.slice(0, 2)).toEqual([`Result${told}`, `Router${sentence}`])
    expect(facts.join('\n')).not.toMatch(/Ask for help/)
    await hops(page).getByText(`The router says: ${hop}. The records of the chains prove otherwise.`).waitFor()
    await story(page).getByText(state).waitFor()
    // The page has said it once above.
    expect(
      await story(page)
        .getByText(/router says/)
        .count(),
    ).toBe(0)
    expect(await page.locator('.pulse').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    await page.goto(`${walk.gateway.origin}/tx/${at}`)
    await story(page).getByText(sentence).waitFor()
    await story(page).getByText(state).waitFor()
    expect(await page.getByRole('link', { name: 'Track this transfer' }).count()).toBe(0)

    await page.goto(`${walk.gateway.origin}/transfer/${at}`)
    await page.getByRole('button', { name: 'Watch this transfer' }).click()
    await page.getByRole('link', { name: 'Transfers', exact: true }).click()
    await page.locator('tbody tr').getByText(told, { exact: true }).waitFor()
    expect(await page.locator('main .scroll').evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
  },
)

test('an arrival before a further hop of the router is followed', async () => {
  const { page } = walk.visit
  const { departure } = await find(arrived)
  const further = { index: 1, state: 'PENDING', reportedState: 'PENDING', rawState: null, transactions: [] }
  const open = ({ hops, guidance }: Answer) => ({
    ...{ state: 'PENDING', outcome: 'PENDING', isTerminal: false, received: null, assetRelease: null },
    hops: [...hops, { ...hops[0], ...further }],
    guidance: { ...guidance, code: 'WAIT', sentence: 'Not delivered to Noble yet.' },
  })
  await doctor(page, open, { transfer: { outcome: 'PENDING', guidance: { contradiction: null } } })
  await page.goto(`${walk.gateway.origin}/tx/${departure.chainId}/${departure.hash}`)
  await page.getByRole('link', { name: 'Track this transfer' }).click()
  await overview(page).getByText('Not delivered to Noble yet.').waitFor()
  await overview(page).getByText('pending', { exact: true }).waitFor()
  await story(page).getByText('Arrived', { exact: true }).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('records of the chains')
})

test('an arrival that the records do not prove is told as the word of the router', async () => {
  const { page } = walk.visit
  const { departure } = await find(arrived)
  await page.goto(`${walk.gateway.origin}/tx/${departure.chainId}/${departure.hash}`)
  await story(page).getByText('Arrived', { exact: true }).waitFor()
  expect(await story(page).getByText('by the router').count()).toBe(0)
  await doctor(page, () => ({}), { isProven: false })
  await page.reload()
  await story(page).getByText('by the router').waitFor()
})
