import { expect, test } from 'vitest'
import { account, hash } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** Changes the answers of the graph before the page has them. */
const withAnswers = (change: (data: Readonly<Record<string, never>>) => void) =>
  walk.visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (json.data) change(json.data)
    await route.fulfill({ response, json })
  })

/** A coin or token that no list has. */
const unlisted = { formattedAmount: null, usdValue: null, asset: null }

test('a changed balance of a token that nobody lists has its contract and says that decimals are unknown', async () => {
  const { page } = walk.visit
  const contract = '0x77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
  await withAnswers(({ transaction }: { transaction?: { balanceChanges?: object[] } }) => {
    const [first] = transaction?.balanceChanges ?? []
    if (!first) return
    const token = {
      ...first,
      ...unlisted,
      kind: 'TOKEN',
      denom: null,
      amount: '-90223744',
      contract: { address: contract },
    }
    transaction?.balanceChanges?.push(token)
  })
  await page.goto(`${walk.gateway.origin}/tx/${hash}`)
  const change = page.getByRole('table', { name: 'What moved' }).locator('tr', { hasText: '90,223,744' })
  await change.getByText('(decimals unknown)').waitFor()
  expect(await change.locator(`a[href$="${contract}"]`).count()).toBe(1)
})

test('the fee is no token transfer', async () => {
  const { page } = walk.visit
  let fee = ''
  await withAnswers(({ transaction }: { transaction?: { fee?: Fee; signers: Signer[]; coinTransfers?: object[] } }) => {
    const coin = transaction?.fee?.amount[0]
    if (!transaction || !coin) return
    fee = coin.formattedAmount
    const payer = transaction.fee?.payer ?? transaction.signers[0]?.account
    const collector = { address: 'init17xpfvakm2amg962yls6f84z3kell8c5l70rnql', hexAddress: `0x${'f'.repeat(40)}` }
    transaction.coinTransfers = [{ sender: payer, recipient: collector, coins: [coin] }]
  })
  await page.goto(`${walk.gateway.origin}/tx/${hash}`)
  await page.getByRole('region', { name: 'Messages' }).waitFor()
  expect(fee).not.toBe('')
  expect(await page.getByRole('table', { name: 'What moved' }).getByText('l70rnql').count()).toBe(0)
})

interface Fee {
  readonly amount: readonly { readonly formattedAmount: string }[]
  readonly payer?: object
}

interface Signer {
  readonly account: object
}

test.each([1_440, 390])(
  'at %i px, a bridge transfer has its direction, both accounts and the asset that arrived',
  async (width) => {
    const { page } = walk.visit
    await page.setViewportSize({ width, height: 900 })
    let sender = ''
    await withAnswers(({ account }: { account?: { bridgeTransfers?: { edges: { node: Bridged }[] } } }) => {
      const known = account?.bridgeTransfers?.edges.find(({ node }) => node.arrival.formattedAmount)
      if (!known) return
      sender = known.node.departure.address
      Object.assign(known.node.departure, unlisted, { denom: 'ibc/C969B9' })
      Object.assign(known.node.arrival, { formattedAmount: '0.001939', usdValue: null })
    })
    await page.goto(`${walk.gateway.origin}/address/${account}?tab=bridges`)
    const row = page
      .getByRole('table', { name: 'Bridge transfers' })
      .locator('tbody tr', { hasText: '0.001939' })
      .first()
    await row.waitFor()
    expect(await row.textContent()).toMatch(/^(In|Out|To itself) 0\.001939 /)
    expect(await row.textContent()).not.toContain('ibc/C969B9')
    expect(await row.locator(`a[href="/address/${sender}"]`).count()).toBeGreaterThan(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  },
)

interface Bridged {
  readonly departure: { address: string }
  readonly arrival: { formattedAmount: string | null }
}
