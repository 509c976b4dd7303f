import { expect, test } from 'vitest'
import { account, hash } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
const search = async (text: string) => {
  const { page } = walk.visit
  await page.goto(`${walk.gateway.origin}/status`)
  const field = page.getByRole('combobox', { name: 'Search all chains' })
  await field.fill(text)
  await field.press('Enter')
}

test.each([
  ['galley-1/1041', '/block/galley-1/1041'],
  ['galley 1041', '/block/galley-1/1041'],
  [`https://etherscan.io/address/${account}#tokentxns`, `/address/${account}`],
  [`https://www.mintscan.io/initia/tx/${hash}?height=7`, `/tx/galley-1/${hash}`],
])('%s leads to %s', async (text, path) => {
  await search(text)
  await walk.visit.page.waitForURL((url) => decodeURIComponent(url.pathname) === path)
})

test.each(['init1…lex62g', '0x77fe…b817', '82F1…CA39'])('%s is told as cut, not as unknown', async (text) => {
  await search(text)
  await walk.visit.shows('This address or hash is too short or cut. Paste all of it.')
  expect(await walk.visit.page.getByText('No results found.').count()).toBe(0)
})

test('the beginning of an address may be a name, so it is searched, and told as cut if nothing is found', async () => {
  await search('init1wllqcgh')
  await walk.visit.shows('No results found. This address or hash is too short or cut. Paste all of it.')
})

test.each([
  [hash.slice(0, -1), 'This address or hash is too short or cut. Paste all of it.'],
  [`${hash}a`, 'This address or hash is too long. Paste it without what does not belong to it.'],
  [account.replace(/3$/, '4'), 'This address is mistyped: its checksum is wrong. Copy it again.'],
])('%s is told as such, in the search and as an address', async (text, words) => {
  const { page } = walk.visit
  await search(text)
  await walk.visit.shows(words)
  expect(await page.getByText('No results found.').count()).toBe(0)
  await page.goto(`${walk.gateway.origin}/address/${text}`)
  await walk.visit.shows(words)
})

test('a validator is found by its name, and by its address as an operator', async () => {
  const { page } = walk.visit
  await search('polar')
  const row = page.getByRole('table', { name: 'Validators' }).locator('tbody tr', { hasText: 'Polaris' })
  const link = row.getByRole('link', { name: 'Polaris' })
  await link.waitFor()
  const operator = (await link.getAttribute('href'))?.split('/').at(-1) ?? ''
  expect(operator).toMatch(/^initvaloper1/)
  await search(operator)
  await page.waitForURL(/\/address\/init1/)
})

test('collections are suggested while somebody types', async () => {
  const { page, faults } = walk.visit
  await page.goto(`${walk.gateway.origin}/status`)
  await page.getByRole('combobox', { name: 'Search all chains' }).fill('bored')
  await page
    .getByRole('option', { name: /^Collection Bored Sailors / })
    .first()
    .click()
  await page.waitForURL(/\/collection\//)
  expect(faults).toEqual([])
})
