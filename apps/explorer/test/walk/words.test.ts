import { expect, test } from 'vitest'
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
