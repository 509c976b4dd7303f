import { expect, test } from 'vitest'
import { openVisits } from './visits.ts'

const walk = openVisits()
const rowsOf = (name: string) => walk.visit.page.getByRole('table', { name, exact: true }).locator('tbody tr')

test('the assets of all chains are searched, and those of one chain are chosen', async () => {
  const { page, faults } = walk.visit
  await page.goto(walk.gateway.origin)
  await page.locator('.pulse').first().waitFor()
  await page.getByRole('link', { name: 'Assets', exact: true }).click()
  const rows = rowsOf('Assets')
  await rows.nth(14).waitFor()
  await rows.filter({ hasText: 'ETH' }).getByText('$3,200.00').first().waitFor()
  await page.getByRole('button', { name: 'Load more' }).click()
  await rows.nth(20).waitFor()
  await page.getByRole('main').getByRole('searchbox').fill('gal')
  await expect
    .poll(async () => new Set(await rows.locator('td:first-child a').allTextContents()))
    .toEqual(new Set(['GAL']))
  await page.waitForURL(/\/assets\?q=gal$/)
  await page.getByLabel('Chain', { exact: true }).selectOption('galley-1')
  await page.waitForURL(/\/assets\?chain=galley-1&q=gal$/)
  await expect.poll(() => rows.count()).toBe(1)
  await rows.first().getByText('$0.02').waitFor()
  await rows.first().getByRole('link', { name: 'GAL' }).click()
  await page.waitForURL(/\/asset\/galley-1\//)
  expect(faults).toEqual([])
})

test('the validators of a chain are counted from its newest blocks', async () => {
  const { page, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/chain/harbor-1`)
  await page.getByRole('link', { name: 'Validators' }).click()
  const rows = rowsOf('Proposers of the newest blocks')
  await rows.nth(4).waitFor()
  await walk.visit.shows(/^Counted from the newest 100 blocks only: [\d,]+ to [\d,]+, over \d+ min\./)
  const counts = async () => (await rows.locator('td:nth-child(2)').allTextContents()).map(Number)
  const before = await counts()
  expect(before.reduce((sum, one) => sum + one, 0)).toBe(100)
  expect(before).toEqual(before.toSorted((a, b) => b - a))
  expect(await rows.first().locator('td:nth-child(3) a').getAttribute('href')).toMatch(/^\/block\/harbor-1\/\d+$/)
  await page.getByRole('button', { name: 'Load more' }).click()
  await walk.visit.shows(/^Counted from the newest 200 blocks only/)
  expect((await counts()).reduce((sum, one) => sum + one, 0)).toBe(200)
  await rows.first().locator('td:first-child a').click()
  await page.waitForURL(/\/address\/initvaloper1/)
  expect(faults).toEqual([])
})

test.each([
  ['galley-1', 'transferFrom', /^\/contract\/galley-1\/0x[\da-f]{40}$/],
  ['harbor-1', /^\w+$/, /^\/contract\/harbor-1\/init1/],
  ['lantern-1', 'swap', /^\/contract\/lantern-1\/init1/],
])('the contracts of %s are counted from its newest transactions', async (chainId, called, href) => {
  const { page, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/contracts/${chainId}`)
  const rows = rowsOf('Contracts of the newest transactions')
  await rows.first().waitFor()
  await walk.visit.shows(/^Counted from the newest 100 transactions only, in the blocks [\d,]+ to [\d,]+\./)
  await rows.getByText(called).first().waitFor()
  expect(await rows.first().locator('td:first-child a').getAttribute('href')).toMatch(href)
  await rows.first().locator('td:last-child a').click()
  await page.waitForURL(new RegExp(`/tx/${chainId}/`))
  expect(faults).toEqual([])
})

test('transactions and active addresses are counted by hour and by day, further back on demand', async () => {
  const { page, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/chain/harbor-1`)
  await page.getByRole('link', { name: 'Usage' }).click()
  const rows = rowsOf('Transactions and active addresses')
  await rows.first().waitFor()
  await walk.visit.shows(/^Counted from the newest 100 transactions only, in the blocks [\d,]+ to [\d,]+\./)
  const counted = async () => {
    const texts = await rows.locator('td:nth-child(2)').allTextContents()
    return texts.reduce((sum, each) => sum + Number(each.replace(',', '')), 0)
  }
  expect(await counted()).toBe(100)
  await page.getByRole('button', { name: 'Read 1,000 more transactions' }).click()
  await walk.visit.shows(/^Counted from the newest (?!100 )[\d,]+ transactions only/)
  await expect.poll(counted).toBeGreaterThan(100)
  await page.getByRole('link', { name: 'By day' }).click()
  await page.waitForURL(/\?by=day$/)
  expect(await rows.first().locator('td:first-child').textContent()).toMatch(/^\d{4}-\d\d-\d\d.*in part$/)
  expect(await rows.first().locator('td:first-child a').first().getAttribute('href')).toMatch(
    /^\/block\/harbor-1\/\d+$/,
  )
  expect(faults).toEqual([])
})

test('a chain that nobody knows has neither validators nor contracts', async () => {
  for (const path of ['/validators/none-1', '/contracts/none-1', '/usage/none-1']) {
    await walk.visit.page.goto(walk.gateway.origin + path)
    await walk.visit.shows('was not found')
    expect(await walk.visit.page.getByText('BAD_USER_INPUT').count()).toBe(0)
  }
  await walk.visit.page.goto(`${walk.gateway.origin}/assets?chain=none-1`)
  await walk.visit.shows(/knows the chain none-1/)
})
