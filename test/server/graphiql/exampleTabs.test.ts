import { getOperationAST, parse } from 'graphql'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { readTabs } from '../../../src/server/graphiql/tabs.ts'
import { startRouterWorld } from '../../support/routerWorld.ts'
import { filledLeaves } from '../../support/shownFields.ts'

const titleOf = (query: string) => getOperationAST(parse(query))?.name?.value

test('every example tab of the sandbox returns data', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const tabs = await readTabs(true)
  const titles = ['Account', 'ExplorerHome', 'Block', 'Search', 'Quote', 'WatchTransfer']
  expect(tabs.map(({ query }) => titleOf(query))).toEqual(titles)
  expect(tabs.every(({ query }) => /^(query|subscription) /.test(query))).toBe(true)
  for (const { query, variables } of tabs.slice(0, -1)) {
    const leaves = filledLeaves(await world.data(query, variables))
    expect(leaves.size, `${titleOf(query)} ${JSON.stringify(variables)}`).toBeGreaterThan(10)
    if (titleOf(query) !== 'Block') continue
    expect(leaves).toContain('chain.block.transactions.nodes.hash')
    expect(leaves).toContain('chain.block.evmTransactions.nodes.hash')
  }
  const watch = await world.watch(tabs.at(-1)?.query ?? '', tabs.at(-1)?.variables)
  await world.clock.advance(60_000)
  expect(watch.end).toBe('completed')
  expect(watch.events.length).toBeGreaterThan(2)
  expect(watch.events.filter(Array.isArray)).toEqual([])
})

test('the example tabs of other networks return data without variables', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const [home, heads] = await readTabs(false)
  expect([home, heads].map((tab) => [titleOf(tab?.query ?? ''), tab?.variables])).toEqual([
    ['ExplorerHome', {}],
    ['LiveHeads', {}],
  ])
  expect(filledLeaves(await world.data(home?.query ?? '')).size).toBeGreaterThan(10)
  const watch = await world.watch(heads?.query ?? '')
  await world.clock.advance(10_000)
  expect(watch.events.length).toBeGreaterThan(0)
  expect(watch.events.filter(Array.isArray)).toEqual([])
})
