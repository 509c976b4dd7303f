import { expect, test } from 'vitest'
import { account, localTime } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

const path = `/address/${account}`
const times = () =>
  walk.visit.page
    .locator('.paused-list time')
    .evaluateAll((all) => all.map((time) => Date.parse(time.getAttribute('datetime') ?? '')))

test('activity is filtered by type, and a reload keeps the filter', async () => {
  const { page } = walk.visit
  await page.goto(walk.gateway.origin + path)
  await page.locator('.paused-list tbody tr').nth(10).waitFor()
  const asked = page.waitForRequest((request) => Boolean(request.postDataJSON?.()?.variables?.filter?.messageTypes))
  await page.getByLabel('Type', { exact: true }).selectOption('contract')
  await asked
  await page.waitForURL(/kind=contract/)
  await page.locator('.paused-list tbody tr').nth(3).waitFor()
  await page.reload()
  await page.locator('.paused-list tbody tr').nth(3).waitFor()
  expect(await page.getByLabel('Type', { exact: true }).inputValue()).toBe('contract')
  const hashes = await page
    .locator('.paused-list tbody a[href^="/tx/"]')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
  const [, , chainId, hash] = hashes[0]?.split('/') ?? []
  const { transaction } = await walk.gateway.query(
    `{ transaction(chainId: "${chainId}", hash: "${hash}") { ... on Transaction { messages { typeUrl } } } }`,
  )
  expect(JSON.stringify(transaction.messages)).toMatch(/MsgCall|MsgExecute|MsgScript|MsgCreate|MsgInstantiate/)
  expect(walk.visit.faults).toEqual([])
})

test('a time span shows only its rows, and loading stops at its start', async () => {
  const { page } = walk.visit
  const start = Date.now() - 3_600_000
  const end = start + 1_200_000
  const query = new URLSearchParams({ since: localTime(start), until: localTime(end) })
  await page.goto(`${walk.gateway.origin}${path}?${query}`)
  await page.locator('.paused-list tbody tr').nth(5).waitFor()
  const more = page.getByRole('button', { name: 'Load more' })
  while ((await more.count()) > 0) {
    const count = await page.locator('.paused-list tbody tr').count()
    await more.scrollIntoViewIfNeeded().catch(() => {})
    await page.waitForFunction(
      (rows) =>
        document.querySelectorAll('.paused-list tbody tr').length > rows || !document.querySelector('button.load-more'),
      count,
    )
  }
  const shown = await times()
  expect(shown.length).toBeGreaterThan(20)
  expect(Math.min(...shown)).toBeGreaterThanOrEqual(Date.parse(`${localTime(start)}`))
  expect(Math.max(...shown)).toBeLessThan(Date.parse(`${localTime(end)}`))
  await page.getByRole('button', { name: 'Clear' }).click()
  await walk.visit.page.locator('.pulse').waitFor()
  expect(new URL(page.url()).search).toBe('')
})

test('activity without a live cursor is shown, but not as live', async () => {
  const { page } = walk.visit
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    if (json.data?.account?.activity) json.data.account.activity.liveCursor = null
    await route.fulfill({ response, json })
  })
  await page.goto(walk.gateway.origin + path)
  await page.locator('.paused-list tbody tr').nth(10).waitFor()
  expect(await page.locator('.panel .pulse').count()).toBe(0)
  expect(await page.locator('.failed').count()).toBe(0)
})

test('a failed field does not hide the activity', async () => {
  const { page } = walk.visit
  await page.route('**/graphql', async (route) => {
    const response = await route.fetch()
    const json = await response.json()
    const [edge] = json.data?.account?.activity?.edges ?? []
    if (edge) {
      edge.node.actions = null
      const extensions = { code: 'UPSTREAM_TIMEOUT', service: edge.chain.chainId }
      const at = ['account', 'activity', 'edges', 0, 'node', 'actions']
      json.errors = [{ message: 'Late.', path: at, extensions }]
    }
    await route.fulfill({ response, json })
  })
  await page.goto(walk.gateway.origin + path)
  await page.locator('.paused-list tbody tr').nth(10).waitFor()
  await walk.visit.shows(/took too long/)
})

test('a long list is laid out in groups, and stays searchable and accessible', async () => {
  const { page } = walk.visit
  await page.goto(walk.gateway.origin + path)
  const rows = page.locator('.paused-list tbody tr')
  await rows.first().waitFor()
  while ((await rows.count()) < 150) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.waitForTimeout(50)
  }
  const groups = await page.locator('.paused-list tbody').evaluateAll((all) =>
    all.map((group) => ({
      rows: group.children.length,
      contain: getComputedStyle(group).contain,
    })),
  )
  expect(Math.max(...groups.map((group) => group.rows))).toBeLessThanOrEqual(20)
  expect(new Set(groups.map(({ contain }) => contain))).toEqual(new Set(['content']))
  const columns = await page
    .locator('.paused-list tr')
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.getBoundingClientRect().left).join()))
  expect(new Set(columns).size).toBe(1)
  // Screen readers have all cells under their heads.
  const tools = await page.context().newCDPSession(page)
  await tools.send('Accessibility.enable')
  const { nodes } = await tools.send('Accessibility.getFullAXTree')
  const count = (role: string) => nodes.filter((node) => node.role?.value === role).length
  const length = columns.length - 1
  expect(count('row')).toBeGreaterThan(length)
  expect(count('cell')).toBeGreaterThanOrEqual(5 * length)
  expect(count('columnheader')).toBeGreaterThanOrEqual(5)
  // So has the search of the browser.
  const last = rows
    .nth(length - 1)
    .locator('td.wide a')
    .first()
  const hash = (await last.textContent()) ?? ''
  const isFound = await page.evaluate(
    (text) => (window as never as { find: (text: string) => boolean }).find(text),
    hash.slice(0, 30),
  )
  expect(isFound).toBe(true)
  expect(walk.visit.faults).toEqual([])
})

test('on a phone, rows need no horizontal scroll and are accessible', async () => {
  const { page } = walk.visit
  await page.setViewportSize({ width: 390, height: 844 })
  const tools = await page.context().newCDPSession(page)
  await tools.send('Accessibility.enable')
  for (const [name, at] of [
    ['Activity', path],
    ['Transactions', '/chain/galley-1'],
  ] as const) {
    await page.goto(walk.gateway.origin + at)
    const rows = page.getByRole('table', { name, exact: true }).locator('tbody tr')
    await rows.nth(5).waitFor()
    const edges = await rows.evaluateAll((all) =>
      all.flatMap((row) => [...row.children].map((cell) => cell.getBoundingClientRect().right)),
    )
    expect(Math.max(...edges), name).toBeLessThanOrEqual(390)
    const { nodes } = await tools.send('Accessibility.getFullAXTree')
    const count = (role: string) => nodes.filter((node) => node.role?.value === role).length
    expect(count('row'), name).toBeGreaterThan(5)
    expect(count('cell'), name).toBeGreaterThanOrEqual(edges.length)
  }
  expect(walk.visit.faults).toEqual([])
})

test('the scroll position is restored on back', async () => {
  const { page } = walk.visit
  await page.goto(walk.gateway.origin + path)
  await page.locator('.paused-list tbody tr').nth(9).waitFor()
  await page.evaluate(() => scrollTo(0, 600))
  await expect.poll(() => page.evaluate(() => history.state?.y)).toBe(600)
  await page.evaluate(() => document.querySelector<HTMLElement>('.brand')?.click())
  await page.locator('.card .big a').first().waitFor()
  await page.goBack()
  await page.locator('.paused-list tbody tr').nth(9).waitFor()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600)
})
