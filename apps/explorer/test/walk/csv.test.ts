import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { account, follow, localTime } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

/** The lines of the file that a press of "Download" makes, cells by comma: no cell of these columns has one. */
async function save(page: Page): Promise<readonly string[]> {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  return file.replace('\uFEFF', '').trimEnd().split('\r\n')
}

const openExport = async () => {
  await walk.visit.page.goto(`${walk.gateway.origin}/address/${account}`)
  await walk.visit.page.getByRole('button', { name: 'CSV' }).click()
  await walk.visit.page.locator('dialog').waitFor()
}

const hour = 3_600_000
const floor = (time: number) => time - (time % 60_000)

test('the CSV file has exactly the activity of the time span', async () => {
  const { page } = walk.visit
  await openExport()
  const start = floor(Date.now() - 3 * hour)
  const end = start + hour
  await page.locator('dialog').getByLabel('From').fill(localTime(start))
  await page.locator('dialog').getByLabel('Before').fill(localTime(end))
  const asked: (string | undefined)[] = []
  page.on('request', (request) => {
    const { variables } = request.postDataJSON() ?? {}
    if (variables?.address && request.url().endsWith('/graphql')) asked.push(variables.after)
  })
  const lines = await save(page)
  const isIn = (time: string) => Date.parse(time) >= start && Date.parse(time) < end
  const wanted = new Set<string>()
  let after: string | null = null
  for (let oldest = Number.POSITIVE_INFINITY; oldest >= start; ) {
    const query = `{ account(address: "${account}") { activity(first: 100, after: ${JSON.stringify(after)}) {
      pageInfo { endCursor } nodes { hash timestamp } } } }`
    const answer: Awaited<ReturnType<typeof walk.gateway.query>> = await walk.gateway.query(query)
    const { activity } = answer.account
    for (const { hash, timestamp } of activity.nodes) if (isIn(timestamp)) wanted.add(hash)
    oldest = Date.parse(activity.nodes.at(-1).timestamp)
    after = activity.pageInfo.endCursor
  }
  const [heads = '', ...rows] = lines.filter((line) => !/^"?# /.test(line))
  const at = heads.split(',').indexOf('hash')
  expect(wanted.size).toBeGreaterThan(5)
  expect(new Set(rows.map((row) => row.split(',')[at]))).toEqual(wanted)
  expect(rows.every((row) => isIn(row.split(',')[0] ?? ''))).toBe(true)
  // Three hours of activity, not all of it.
  expect(new Set(asked).size).toBeLessThan(20)
  await walk.visit.shows(/Saved .+ rows to activity-init1/)
  expect(walk.visit.faults).toEqual([])
})

test('the CSV file and the page choose the same transactions by one asset that went one way', async () => {
  const { page } = walk.visit
  const minute = (time: number) => `${new Date(floor(time)).toISOString().slice(0, 16)}Z`
  const span = { since: minute(Date.now() - 10 * hour), until: minute(Date.now() - hour) }
  const choice = new URLSearchParams({ kind: 'send', token: 'uinit', direction: 'out', dust: 'show', ...span })
  await page.goto(`${walk.gateway.origin}/address/${account}?${choice}`)
  const rows = page.getByRole('tabpanel').locator('tbody tr')
  await rows.first().waitFor({ timeout: 40_000 })
  // Its words are others while it loads.
  const more = page.getByRole('tabpanel').locator('button.load-more')
  while ((await more.count()) > 0) await more.click({ timeout: 2000 }).catch(() => {})
  const listed = await rows
    .locator('a[href*="/tx/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/').at(-1)))
  await page.getByRole('button', { name: 'CSV' }).click()
  await page.locator('dialog').waitFor()
  const [heads = '', ...lines] = (await save(page)).filter((line) => !/^"?# /.test(line))
  const at = heads.split(',').indexOf('hash')
  expect(listed.length).toBeGreaterThan(2)
  expect(new Set(lines.map((line) => line.split(',')[at]))).toEqual(new Set(listed))
})

test('the CSV file has balances with all digits', async () => {
  await openExport()
  await walk.visit.page.getByLabel('Data').selectOption('balances')
  const lines = await save(walk.visit.page)
  const { account: found } = await walk.gateway.query(
    `{ account(address: "${account}") { balances { balances { chain { chainId } denom formattedAmount amount } } } }`,
  )
  for (const { chain, denom, formattedAmount, amount } of found.balances.balances) {
    const row = lines.find((line) => line.startsWith(chain.chainId) && line.includes(`,${denom},`))
    expect(row?.split(',')).toEqual(expect.arrayContaining([formattedAmount ?? '', amount ?? '']))
  }
})

test('an unavailable chain is named in the CSV file and on the page', async () => {
  const { page } = walk.visit
  await openExport()
  await page.locator('dialog').getByLabel('Data').selectOption('transfers')
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const activity = json.data?.account?.activity
    if (activity) {
      activity.unavailableChains = [{ chain: { chainId: 'galley-1', prettyName: 'Galley' }, code: 'UPSTREAM_TIMEOUT' }]
      activity.pageInfo.hasNextPage = false
    }
    await route.fulfill({ response, json })
  })
  const lines = await save(page)
  expect(lines.at(-1)).toContain('Galley')
  expect(lines.at(-2)).toContain('prices of 20')
  expect(lines.length).toBeGreaterThan(5)
  await walk.visit.shows(/rows of Galley may be missing: UPSTREAM_TIMEOUT/)
})

test('a file is made while the reader looks at other pages', async () => {
  const { page } = walk.visit
  await openExport()
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  await page.route('**/graphql', async (route) => {
    if ('after' in (route.request().postDataJSON().variables ?? {})) await opened
    await route.continue()
  })
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await walk.visit.shows('It continues if you close this window.')
  await page.getByRole('button', { name: 'Close' }).click()
  const bar = page.getByRole('complementary', { name: 'Export as CSV' })
  await bar.getByText(/Activity: balance changes and fees of init1wll…ddazg3/).waitFor()
  await follow(page, '/status')
  await bar.getByRole('button', { name: 'Cancel' }).waitFor()
  await bar.getByRole('button', { name: 'Cancel' }).click()
  await bar.waitFor({ state: 'detached' })
  open()
})
