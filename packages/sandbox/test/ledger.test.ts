import { expect, test } from 'vitest'
import { sandboxChains } from '../src/chains.ts'
import { createWorld } from '../src/world/world.ts'

test.each(sandboxChains)('on $chainId, no balance is ever below zero', (chain) => {
  const { fixtures, holders, workload } = createWorld(chain, 'portolan', () => 0)
  const period = (workload.space.span / 15) * 10
  for (const first of [1, 1 + period, 1 + 5_000 * period]) {
    for (let height = first; height < first + 2 * period; height += 7) {
      for (const { hex } of [...fixtures.users, fixtures.relayer, fixtures.dex]) {
        const amount = holders.balanceAt(hex, chain.denom, height) ?? 0n
        expect(amount >= 0n, `${hex} at ${height}: ${amount}`).toBe(true)
      }
    }
  }
})
