import { expect, test } from 'vitest'
import { hash, screens, setScreen } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

test.each(screens)(
  'at %i px, %s: one table has all that was moved, and the fee stands apart, once',
  async (...screen) => {
    const { page, faults } = walk.visit
    await setScreen(page, screen)
    await page.goto(`${walk.gateway.origin}/tx/${hash}`)
    const moved = page.getByRole('table', { name: 'What moved' })
    await moved.locator('tbody tr').first().waitFor()
    // The changes of each balance are there on demand.
    const changes = page.getByRole('table', { name: 'Balance changes' })
    expect(await changes.isVisible()).toBe(false)
    await page.getByText(/^Balance changes \(\d+\)$/).click()
    await changes.waitFor()
    const fee = page.locator('.facts > div', { hasText: /^Fee/ })
    expect(await fee.count()).toBe(1)
    expect(await fee.textContent()).toMatch(/^Feecharged [\d.]+ GAL, limit [\d.]+ GAL$/)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen[0])
    expect(faults).toEqual([])
  },
)

test('why a transaction failed is said in words, with its code', async () => {
  const { page } = walk.visit
  const { chain } = await walk.gateway.query(
    '{ chain(chainId: "harbor-1") { transactions(first: 100, filter: {}) { nodes { hash isSuccessful codespace code } } } }',
  )
  const failed = chain.transactions.nodes.find(
    ({ codespace, code }: { codespace: string; code: number }) => codespace === 'sdk' && code === 11,
  )
  await page.goto(`${walk.gateway.origin}/tx/harbor-1/${failed.hash}`)
  const result = page.locator('.facts > div', { hasText: /^Result/ })
  await result.waitFor()
  expect(await result.locator('dd').textContent()).toBe('✕ Failed: out of gas (sdk 11)')
  const fee = await page.locator('.facts > div', { hasText: /^Fee/ }).locator('dd').textContent()
  expect(fee).toMatch(/^charged [\d.]+ INIT, limit [\d.]+ INIT$/)
})

test('logs are decoded as on the page of the contract, with their topics on demand', async () => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/tx/${hash}`)
  const logs = page.getByRole('region', { name: 'Logs' })
  const log = logs
    .locator('article')
    .filter({ has: page.getByText('Transfer', { exact: true }) })
    .first()
  await log.waitFor()
  expect(await log.locator('.values a[href^="/address/0x"]').count()).toBe(2)
  expect(await log.getByText('topic 0').isVisible()).toBe(false)
  await log.getByText('Topics and data').click()
  await log.getByText(/^0xddf252ad/).waitFor()
})

test('arguments of Move are text, numbers and addresses, and base64 on demand', async () => {
  const { page } = walk.visit
  const { chain } = await walk.gateway.query(
    '{ chain(chainId: "harbor-1") { transactions(first: 100) { nodes { hash messages { typeUrl body } } } } }',
  )
  const call = chain.transactions.nodes.find(
    ({ messages }: { messages: { typeUrl: string; body: { args?: string[] } }[] }) =>
      messages.some(({ typeUrl, body }) => typeUrl.endsWith('move.v1.MsgExecute') && body.args?.length),
  )
  await page.goto(`${walk.gateway.origin}/tx/harbor-1/${call.hash}`)
  const args = page.locator('.args').first()
  await args.waitFor()
  const sent = new Set<string>(call.messages.flatMap(({ body }: { body: { args?: string[] } }) => body.args ?? []))
  for (const text of await args.locator('li').allTextContents()) expect([...sent]).not.toContain(text)
  await page.getByText('Arguments as sent').first().click()
  await page.locator('code', { hasText: call.messages[0].body.args[0] }).waitFor()
})
