import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import { readPage } from '../support/docBlocks.ts'
import { readExample, variablesOf } from '../support/examples.ts'
import { startRouterWorld } from '../support/routerWorld.ts'

const number = (value: number) => Math.round(value).toLocaleString('en-US')
const range = (values: readonly number[]) => `${number(Math.min(...values))} to ${number(Math.max(...values))}`

const costPage = readPage('docs/cost.md').replaceAll('\n', ' ')
const faqPage = readPage('docs/faq.md').replaceAll('\n', ' ')

/** The points of each page of the explorer, by the table that the walk through its pages compares with the gateway. */
const pagePoints = [...readPage('docs/explorer.md').matchAll(/^\| `\/.* \| ([\d,]+) \|$/gm)].map(([, points = '']) =>
  Number(points.replace(',', '')),
)

test('the pages say what the queries of screens cost', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const points: number[] = []
  for (const file of readdirSync(join(import.meta.dirname, '../../examples/documents'))) {
    const name = file.replace('.graphql', '')
    const { operation, text } = readExample(name)
    if (operation !== 'query') continue
    const response = await fetch(world.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'graphql-cost-debug': '1' },
      body: JSON.stringify({ query: text, variables: await variablesOf(name, 0, world.data) }),
    })
    points.push((await response.json()).extensions.cost.points)
  }
  expect(points.length).toBeGreaterThan(15)
  for (const page of [costPage, faqPage])
    expect(page).toContain(`screens](screens.md) cost ${range(points)} points each`)
})

test('the pages say what the pages of the explorer cost', () => {
  expect(pagePoints.length).toBe(21)
  const mean = pagePoints.reduce((sum, points) => sum + points, 0) / pagePoints.length
  expect(costPage).toContain(`costs ${range(pagePoints)} points, on average ${number(mean)}.`)
  expect(faqPage).toContain(`a page of the explorer ${range(pagePoints)},`)
})

test('the least rate limit for an explorer is enough for what the page says', () => {
  const [, perSecond, saved] = /The least for an explorer is `RATE_LIMIT=(\d+):(\d+)`/.exec(costPage) ?? []
  const most = Math.max(...pagePoints)
  expect(Number(saved)).toBeGreaterThanOrEqual(2 * most)
  expect(Number(perSecond) * 5).toBeGreaterThanOrEqual(most)
  expect(Number(perSecond)).toBeGreaterThan(pagePoints.reduce((sum, points) => sum + points, 0) / pagePoints.length)
})
