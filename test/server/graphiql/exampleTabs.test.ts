import { getOperationAST, parse } from 'graphql'
import { expect, test } from 'vitest'
import { sandboxChains } from '../../../packages/sandbox/src/chains.ts'
import { findTabs } from '../../../src/server/graphiql/tabs.ts'
import { startRouterWorld } from '../../support/routerWorld.ts'
import { filledLeaves } from '../../support/shownFields.ts'

const titleOf = (query: string) => getOperationAST(parse(query))?.name?.value

const titles = ['Account', 'ExplorerHome', 'Block', 'Search', 'Quote', 'WatchTransfer']

test('every example tab returns data', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  for (const isSandbox of [true, false]) {
    const tabs = await findTabs((query, variables) => world.data(query, variables), isSandbox)
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
    // Outside the sandbox it is a transfer whose end the records already prove.
    expect(watch.events.length).toBeGreaterThan(isSandbox ? 2 : 0)
    expect(watch.events.filter(Array.isArray)).toEqual([])
  }
})

test('example tabs without data in the network are omitted', async () => {
  const empty = {
    chains: [{ chainId: 'a-1', prettyName: 'A', vm: null }],
    chain: { chainId: 'a-1', prettyName: 'A', feeDenoms: null, blocks: { nodes: [] } },
  }
  const tabs = await findTabs(async () => empty, false)
  expect(tabs.map(({ query }) => titleOf(query))).toEqual(['ExplorerHome', 'Search'])
  expect(tabs.at(-1)?.variables).toEqual({ text: 'A' })
})
