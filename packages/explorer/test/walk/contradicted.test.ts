import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, test } from 'vitest'
import { openVisits } from './visits.ts'

// Where the router says something else than the records of the chains prove, both are said with their sources. The answers of the
// gateway are changed on their way to the page.

const walk = openVisits()

const traveller = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'

interface Movement {
  readonly state: string
  readonly isWithdrawal: boolean
  readonly reason: string | null
  readonly departure: { readonly chainId: string; readonly hash: string }
  readonly arrival: { readonly chainId: string }
}

/** The newest movement in a state. A gateway that has just started lacks chains that do not answer yet. */
async function find(state: string): Promise<Movement> {
  let found: Movement | undefined
  const look = async () => {
    const { account } = await walk.gateway.query(
      `{ account(address: "${traveller}") { bridgeTransfers(first: 60) { nodes { state isWithdrawal reason
        departure { chainId hash } arrival { chainId } } } } }`,
    )
    found = account.bridgeTransfers.nodes.find(
      (one: Movement) => one.state === state && !one.isWithdrawal && !one.reason && one.departure.hash,
    )
    return found !== undefined
  }
  await expect.poll(look, { timeout: 60_000, interval: 1_000 }).toBe(true)
  return found as unknown as Movement
}

interface Hop {
  readonly from: string
  readonly to: string
  readonly state: string
}

/** Makes the router say this of every transfer, beside what the records prove. */
async function doctor(page: Page, rawState: string, hops: readonly Hop[]): Promise<void> {
  const outcome = rawState.endsWith('SUCCESS') ? 'SUCCEEDED' : 'PENDING'
  const isTerminal = outcome !== 'PENDING'
  const hopOf = ({ from, to, state }: Hop, index: number, real: { bridgeTransfer?: unknown } | undefined) => ({
    ...{
      index,
      bridge: 'IBC',
      state,
      rawState: state,
      isBlocking: state !== 'COMPLETED',
      transactions: [],
      error: null,
    },
    ...{ beganAt: null, endedAt: null, amountIn: null, amountOut: null, denomIn: null, denomOut: null },
    ...{ assetIn: null, assetOut: null, fromChainId: from, toChainId: to },
    ...{ fromChain: { chainId: from, prettyName: from }, toChain: { chainId: to, prettyName: to } },
    bridgeTransfer: real?.bridgeTransfer ?? null,
  })
  const guidance = {
    ...{ code: 'LATE', sentence: 'Not delivered to Noble yet.', nextStep: 'Wait.', usualSeconds: 30, isLate: true },
    ...{ url: null, supportUrl: 'https://support.example/' },
  }
  const change = (socket: WebSocketRoute) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      const event = JSON.parse(String(message))
      const transfer = event.payload?.data?.transfer
      if (event.type === 'next' && transfer) {
        const real = transfer.hops
        const told = hops.map((hop, index) => hopOf(hop, index, real[index]))
        Object.assign(transfer, {
          rawState,
          state: rawState.slice(6),
          outcome,
          isTerminal,
          guidance,
          search: null,
          hops: told,
        })
      }
      socket.send(JSON.stringify(event))
    })
  }
  await page.routeWebSocket('**/graphql', change)
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    for (const movement of json.data?.transaction?.movements ?? []) {
      movement.transfer = { rawState, hops: hops.map(({ to }) => ({ toChainId: to })) }
    }
    await route.fulfill({ response, json })
  })
}

const overview = (page: Page) => page.getByRole('region', { name: 'Overview', exact: true })
const story = (page: Page) => page.getByRole('region', { name: 'Bridge transfers', exact: true })

test.each([
  [
    1_440,
    'ARRIVED',
    'STATE_PENDING',
    'PENDING',
    /^Arrived$/,
    /prove that it arrived on \w+; the router says that it is pending\./,
  ],
  [
    390,
    'ARRIVED',
    'STATE_PENDING',
    'PENDING',
    /^Arrived$/,
    /prove that it arrived on \w+; the router says that it is pending\./,
  ],
  [
    1_440,
    'TIMED_OUT',
    'STATE_COMPLETED_SUCCESS',
    'COMPLETED',
    /^Timed out and returned$/,
    /is back on \w+; the router says that it succeeded\./,
  ],
  [
    390,
    'TIMED_OUT',
    'STATE_COMPLETED_SUCCESS',
    'COMPLETED',
    /^Timed out and returned$/,
    /is back on \w+; the router says that it succeeded\./,
  ],
] as const)(
  'at %i px, %s by the records and %s by the router: the proof is first, then both',
  async (width, state, rawState, hopState, word, sentence) => {
    const { page, faults, shows } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    const { departure } = await find(state)
    // The route of this router is another one from its first hop on.
    await doctor(page, rawState, [
      { from: departure.chainId, to: 'noble-1', state: hopState },
      { from: 'noble-1', to: 'osmosis-1', state: 'UNKNOWN' },
    ])
    await page.goto(`${walk.gateway.origin}/tx/${departure.chainId}/${departure.hash}`)
    await story(page).getByText(sentence).waitFor()
    await story(page).getByText(word).waitFor()
    expect(await page.getByRole('link', { name: 'Track this transfer' }).count()).toBe(0)

    await page.goto(`${walk.gateway.origin}/transfer/${departure.chainId}/${departure.hash}`)
    await overview(page).getByText(word).waitFor()
    await overview(page).getByText(sentence).waitFor()
    const facts = await overview(page).locator('.facts > div').allTextContents()
    expect(facts[0]).toMatch(/^Result(Arrived|Timed out and returned)$/)
    expect(facts[1]).toMatch(/^RouterThe records of the chains prove/)
    // Nothing of the router's way stands beside the proof as if it were true.
    expect(facts.join('\n')).not.toMatch(/Noble|osmosis|Ask for help|Received|Assets are on/)
    await shows('Hops, as the router says')
    expect(await page.locator('.pulse').count()).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)

    await page.getByRole('button', { name: 'Watch this transfer' }).click()
    await page.getByRole('link', { name: 'Transfers', exact: true }).click()
    const row = page.locator('tbody tr')
    await row.getByText(word).waitFor()
    expect(await page.locator('main .scroll').evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThanOrEqual(1)
    expect(faults).toEqual([])
  },
)

test('an arrival before a further hop of the router is followed', async () => {
  const { page } = walk.visit
  const { departure, arrival } = await find('ARRIVED')
  await doctor(page, 'STATE_PENDING', [
    { from: departure.chainId, to: arrival.chainId, state: 'COMPLETED' },
    { from: arrival.chainId, to: 'noble-1', state: 'PENDING' },
  ])
  await page.goto(`${walk.gateway.origin}/tx/${departure.chainId}/${departure.hash}`)
  await page.getByRole('link', { name: 'Track this transfer' }).click()
  await overview(page).getByText('Not delivered to Noble yet.').waitFor()
  await overview(page).getByText('pending', { exact: true }).waitFor()
  await story(page).getByText('Arrived', { exact: true }).waitFor()
  expect(await page.locator('main').textContent()).not.toContain('records of the chains')
})
