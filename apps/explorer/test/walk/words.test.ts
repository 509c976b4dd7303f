import { expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const rowsOf = (name: string) => walk.visit.page.getByRole('table', { name, exact: true }).locator('tbody tr')

test('blocks and chains show sentences of what transactions did', async () => {
  const { page, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/block/galley-1/1041`)
  const sent = rowsOf('Transactions').filter({
    hasText: /Sent NFT 71 of 0x[\da-f]+…[\da-f]+ to 0x/,
  })
  await sent.waitFor()
  // One row has both hashes of a transaction, and no other list has it again.
  expect(await sent.locator('a[href^="/tx/"]').count()).toBe(2)
  expect(await rowsOf('EVM').count()).toBe(0)
  await page.goto(`${walk.gateway.origin}/chain/galley-1`)
  await rowsOf('Transactions').first().waitFor()
  const sentences = await rowsOf('Transactions').locator('.sentence').allTextContents()
  expect(sentences.length).toBeGreaterThan(10)
  expect(sentences.every((sentence) => sentence.split(' ').length > 2)).toBe(true)
  expect(faults).toEqual([])
})

test('a transaction that only the EVM has is told by its receipt', async () => {
  const { chain } = await walk.gateway.query(
    '{ chain(chainId: "galley-1") { evmTransactions(first: 100) { nodes { hash transaction { hash } actions { summary } } } } }',
  )
  const { hash, actions } = chain.evmTransactions.nodes.find(
    (node: { transaction: object | null }) => !node.transaction,
  )
  await walk.visit.page.goto(`${walk.gateway.origin}/tx/${hash}`)
  await walk.visit.shows(actions[0].summary.split(' ').slice(0, 2).join(' '))
})

test('a collection keeps its name on its page as an account', async () => {
  await walk.visit.page.goto(`${walk.gateway.origin}/address/0x7cb7069ac3f429e199d886f49c31aa997560d464`)
  const sentences = walk.visit.page.locator('.sentence', { hasText: /^Sent NFT / })
  await sentences.first().waitFor()
  for (const sentence of await sentences.allTextContents()) expect(sentence).toMatch(/^Sent NFT \S+ of (?!you)/)
})

test('bridge transfers have a route, and a young withdrawal waits for its claim', async () => {
  const { page } = walk.visit
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json().catch(() => undefined)
    const edges = json?.data?.account?.bridgeTransfers?.edges
    if (!edges) return route.fulfill({ response })
    for (const [index, seconds] of [16, 7_200].entries()) {
      const { node } = edges[index]
      Object.assign(node, { isWithdrawal: true, state: 'UNKNOWN', onward: null })
      node.departure.timestamp = new Date(Date.now() - seconds * 1_000).toISOString()
    }
    await route.fulfill({ response, json })
  })
  await page.goto(`${walk.gateway.origin}/address/${account}?tab=bridges`)
  const rows = rowsOf('Bridge transfers')
  await rows.nth(1).waitFor()
  const heads = page.getByRole('table', { name: 'Bridge transfers', exact: true }).locator('th')
  expect((await heads.allTextContents()).slice(0, 4)).toEqual(['Amount', 'Route', 'Result', 'Accounts'])
  expect(await rows.nth(0).textContent()).toContain('Waits for its claim')
  expect(await rows.nth(1).textContent()).toContain('No claim found')
})

test.each([
  [true, 'It can be claimed since 2026-11-21 11:54:59.075 UTC.'],
  [null, 'It could be claimed from 2026-11-21 11:54:59.075 UTC on.'],
  [false, 'It can be claimed from 2026-11-21 11:54:59.075 UTC on. The time can move until then.'],
])('a withdrawal has the time of its claim, also where isClaimable is %s', async (isClaimable, words) => {
  const { page, shows } = walk.visit
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json().catch(() => undefined)
    const [transfer] = json?.data?.transaction?.bridgeTransfers ?? []
    if (!transfer) return route.fulfill({ response })
    Object.assign(transfer, { isWithdrawal: true, state: 'UNKNOWN', onward: null, refund: null })
    transfer.claim = { claimableAt: '2026-11-21T11:54:59.075Z', isClaimable }
    await route.fulfill({ response, json })
  })
  const { account: found } = await walk.gateway.query(
    `{ account(address: "${account}") { bridgeTransfers(first: 1) { nodes { departure { hash } } } } }`,
  )
  await page.goto(`${walk.gateway.origin}/tx/${found.bridgeTransfers.nodes[0].departure.hash}`)
  await shows(words)
})

test('the router has no version, but bridges, and a coin without a price says so', async () => {
  const { page, shows } = walk.visit
  await page.goto(`${walk.gateway.origin}/status`)
  const router = rowsOf('Services').filter({ hasText: /^Router/ })
  await router.waitFor()
  expect(await router.locator('td').first().textContent()).toMatch(/^Router \d+ bridges$/)
  expect(await router.locator('td').last().textContent()).toBe('–')
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json().catch(() => undefined)
    for (const chain of json?.data?.chains ?? []) {
      for (const { asset } of chain.feeAssets ?? []) if (asset?.usdPrice) asset.usdPrice = null
    }
    await (json ? route.fulfill({ response, json }) : route.fulfill({ response }))
  })
  await page.goto(walk.gateway.origin)
  await shows('price unknown')
  expect(await page.locator('.card .known').getByText('–', { exact: true }).count()).toBe(0)
})
