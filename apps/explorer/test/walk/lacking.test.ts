import { afterEach, expect, test } from 'vitest'
import { account } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
afterEach(() => walk.visit.page.unrouteAll({ behavior: 'ignoreErrors' }))

// biome-ignore lint/suspicious/noExplicitAny: answers of any document
type Answer = { data: any; errors?: object[] }

/** Changes the answers that a page gets into those of services that lack something. */
async function answers(change: (answer: Answer) => void) {
  await walk.visit.page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (json.data) change(json)
    await route.fulfill({ response, json })
  })
}

const open = (path: string) => walk.visit.page.goto(walk.gateway.origin + path)
const panel = (name: string) => walk.visit.page.getByRole('region', { name, exact: true })
const refused = (...path: (string | number)[]) => ({
  message: 'Refused.',
  path,
  extensions: { code: 'UPSTREAM_REJECTED' },
})

test('a list with missing chains is not shown as empty', async () => {
  const chain = { chainId: 'galley-1', prettyName: 'Galley' }
  const unavailableChains = [{ chain, code: 'UPSTREAM_REJECTED' }]
  await answers(({ data: { account } }) => {
    if (account?.balances) Object.assign(account.balances, { balances: [], unavailableChains })
    if (account?.nfts) Object.assign(account.nfts, { nodes: [], unavailableChains })
  })
  await open(`/address/${account}?tab=nfts`)
  for (const name of ['Balances', 'NFTs']) {
    await panel(name).getByText('Missing chains (could not be loaded): Galley').waitFor()
    expect(await panel(name).textContent()).not.toContain('Nothing to show')
  }
})

test('a failed list is not shown as empty', async () => {
  await answers((answer) => {
    const { chain } = answer.data
    if (!chain?.transactions) return
    chain.transactions = null
    answer.errors = [refused('chain', 'transactions')]
  })
  await open('/chain/galley-1')
  await panel('Transactions').getByText('rejected the request').waitFor()
  // The same request would be rejected again.
  expect(await panel('Transactions').getByRole('button', { name: 'Try again' }).count()).toBe(0)
  expect(await panel('Transactions').textContent()).not.toContain('Nothing to show')
})

test('an invalid address is reported, and has no "Try again" button', async () => {
  await open('/address/init1nonsense')
  await walk.visit.shows(/Invalid address/)
  expect(await walk.visit.page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('a title has a short hash, and NFTs are sorted by number', async () => {
  const { page } = walk.visit
  await open(`/address/${account}?tab=nfts`)
  await panel('NFTs').locator('.tiles li').first().waitFor()
  expect(await page.title()).toBe('init1wll…ddazg3 · Account · Portolan')
  const names = await panel('NFTs').locator('.tiles a').allTextContents()
  const numbers = names.flatMap((name) => /^Bored Sailors#(\d+)$/.exec(name)?.[1] ?? []).map(Number)
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
})

test('a router fault is shown once on the status page', async () => {
  await answers((answer) => {
    if (!answer.data.bridges) return
    answer.data.bridges = null
    answer.errors = [refused('bridges')]
  })
  await open('/status')
  await panel('Services').getByText('down').waitFor()
  await panel('Client limits').getByText('Max cost per operation').waitFor()
  expect(await walk.visit.page.locator('.failed').count()).toBe(1)
})

test('empty lists are hidden, and an unnamed collection has a link', async () => {
  await answers(({ data: { chain } }) => {
    if (!chain?.nftCollections) return
    chain.feeAssets = []
    for (const collection of chain.nftCollections.nodes) collection.name = ''
  })
  await open('/chain/galley-1')
  await panel('Overview').getByText('Virtual machine').waitFor()
  expect(await panel('Overview').textContent()).not.toContain('Fee tokens')
  // It is shown once the blocks above it have come.
  await panel('Collections').getByRole('link').first().waitFor()
  const names = await panel('Collections').getByRole('link').allTextContents()
  expect(names.length).toBeGreaterThan(0)
  expect(names.every((name) => name.length > 10)).toBe(true)
})

test('a sentence has its own words for an amount that cannot be read, and "you" for the account of the page', async () => {
  let words = ''
  await answers(({ data }) => {
    for (const { node } of data.account?.activity?.edges ?? []) {
      for (const { summaryParts } of node?.actions ?? []) {
        for (const part of summaryParts) {
          if (part.kind !== 'AMOUNT') continue
          part.amount = null
          words ||= part.text
        }
      }
    }
  })
  await open(`/address/${account}?dust=show`)
  const sentences = panel('Activity').locator('.sentence')
  await sentences.first().waitFor()
  const all = await sentences.allTextContents()
  expect(words).not.toBe('')
  expect(all.some((sentence) => sentence.includes(words))).toBe(true)
  expect(all.some((sentence) => /\byou\b/.test(sentence))).toBe(true)
  expect(await sentences.locator(`a[href="/address/${account}"]`).count()).toBe(0)
})

test.each([
  ['/nft/galley-1/0x7cb7069ac3f429e199d886f49c31aa997560d464/999999', '0x7cb7069ac3f429e199d886f49c31aa997560d464'],
  ['/collection/galley-1/0xa51c5aadbd12e7d4f1ee0e2f0b0bb3a0a5aa0001', '0xa51c5aadbd12e7d4f1ee0e2f0b0bb3a0a5aa0001'],
])('%s, which the indexer does not list, leads to its contract', async (path, contract) => {
  await open(path)
  await panel('Overview').getByText('The indexer of the chain does not list it.').waitFor()
  const link = panel('Overview').getByRole('link', { name: 'As a contract' })
  expect(await link.getAttribute('href')).toBe(`/contract/galley-1/${contract}`)
})

test('transactions of two chains with the same hash are two rows', async () => {
  await answers(({ data: { chains } }) => {
    const [first, second] = chains ?? []
    if (!first?.transactions?.nodes[0] || !second?.transactions?.nodes[0]) return
    const newest = { timestamp: '2099-01-01T00:00:00Z', hash: 'F'.repeat(64) }
    Object.assign(first.transactions.nodes[0], newest)
    Object.assign(second.transactions.nodes[0], newest)
  })
  await open('/')
  await panel('Transactions').locator('tbody tr').first().waitFor()
  await expect.poll(() => panel('Transactions').locator('a[href$="FFFFFF"]').count()).toBe(2)
})

test('an unlisted asset has its holders', async () => {
  await answers(({ data }) => {
    if (data.asset) data.asset = null
  })
  await open('/asset/harbor-1/uinit')
  await panel('Overview').getByText('This asset is not in any asset list').waitFor()
  await panel('Holders').locator('tbody tr').first().waitFor()
})

test('rows do not move under the pointer, and new rows wait for a click', async () => {
  await open('/')
  const rows = panel('Blocks').locator('tbody tr')
  await rows.nth(3).hover()
  const height = async () => [
    await rows.first().locator('td').nth(1).textContent(),
    (await rows.first().boundingBox())?.y,
  ]
  const before = await height()
  const bar = panel('Blocks').getByRole('button', { name: /^Show \d+ new$/ })
  await bar.waitFor()
  expect(await height()).toEqual(before)
  await bar.click()
  await expect.poll(async () => (await height())[0]).not.toBe(before[0])
})

test.each([
  ['/', 'Blocks'],
  ['/chain/galley-1', 'Blocks'],
])('on %s, rows do not move while the list has focus', async (path, name) => {
  await open(path)
  const rows = panel(name).locator('tbody tr')
  const link = rows.nth(3).locator('td.number a')
  await link.focus()
  const place = async () => [await link.textContent(), (await link.boundingBox())?.y]
  const before = await place()
  const bar = panel(name).getByRole('button', { name: /^Show \d+ new$/ })
  await bar.waitFor()
  expect(await place()).toEqual(before)
  await bar.press('Enter')
  await bar.waitFor({ state: 'detached' })
  await expect.poll(async () => (await place())[0]).not.toBe(before[0])
})
