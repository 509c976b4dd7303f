import { expect, test } from 'vitest'
import { sandboxChains } from '../../../sandbox/src/chains.ts'
import { createFixtures } from '../../../sandbox/src/world/fixtures.ts'
import { createTransactions } from '../../../sandbox/src/world/transactions.ts'
import { createWorkload } from '../../../sandbox/src/world/workload.ts'
import type { Action } from '../../src/actions/action.ts'
import { actionsOf } from '../support/atOnce.ts'

// biome-ignore lint/suspicious/noExplicitAny: records are read as they come
type Data = any

const transactionCount = 1_400

/** The actions of each transaction of a chain of the sandbox: more than one period of its traffic. */
function actionsOfChain(chain: (typeof sandboxChains)[number]): Action[][] {
  const fixtures = createFixtures(chain, 'words')
  const transactions = createTransactions(fixtures, createWorkload(fixtures))
  return Array.from({ length: transactionCount }, (_, index) => {
    const { code, events, tx } = transactions.record(index + 1)
    const { messages }: Data = (tx as Data).body
    return actionsOf({ isSuccessful: code === 0, messages, events })
  })
}

test.each(sandboxChains)('at most 5 % of the transactions of $chainId are UNKNOWN', async (chain) => {
  const described = actionsOfChain(chain)
  const unknown = described.filter((actions) => actions.some(({ kind }) => kind === 'UNKNOWN'))
  const said = `${unknown.length} of ${described.length} transactions of ${chain.chainId}`
  expect(unknown.length / described.length, said).toBeLessThanOrEqual(0.05)
  expect(described.filter((actions) => actions.length === 0)).toEqual([])
})

test('the sandbox chains have at least 20 kinds of actions', () => {
  const kinds = new Set(
    sandboxChains
      .flatMap(actionsOfChain)
      .flat()
      .map(({ kind }) => kind),
  )
  expect(kinds.size).toBeGreaterThanOrEqual(20)
})

test('every action of the sandbox names its actor', () => {
  const actions = sandboxChains.flatMap(actionsOfChain).flat()
  expect(actions.filter(({ actor }) => !actor)).toEqual([])
})
