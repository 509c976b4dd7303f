import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { balanceChanges, knownDenoms } from '../src/balanceChanges.ts'
import { createClient } from '../src/client.ts'
import { startPlainWorld } from './support/documents.ts'

interface Change {
  readonly account: { readonly hexAddress: string } | null
  readonly amount: string
  readonly denom: string | null
  readonly kind: string
}

interface Data {
  readonly chain: {
    readonly transactions: {
      readonly nodes: {
        readonly code: number
        readonly events: { type: string; attributes: { key: string; value: string }[] }[]
        readonly balanceChanges: Change[]
      }[]
    }
  }
  readonly assets: { readonly nodes: { denom: string; tokenContract: string | null }[] }
}

test.each([
  ['harbor-1', 'MOVE'],
  ['galley-1', 'EVM'],
  ['lantern-1', 'WASM'],
] as const)('balanceChanges of the events of %s equal those of the gateway', async (chainId, vm) => {
  await using world = await startPlainWorld()
  const client = createClient({ url: world.url, webSocketImpl: null })
  const data = await client.query<Data, object>(
    `query Changes($chainId: ChainId!) {
      chain(chainId: $chainId) {
        transactions(first: 20) {
          nodes {
            code
            events { type attributes { key value } }
            balanceChanges { account { hexAddress } amount denom kind }
          }
        }
      }
      assets(chainId: $chainId, first: 100) { nodes { denom tokenContract } }
    }`,
    { chainId },
  )
  const known = knownDenoms(data.assets.nodes)
  const { nodes } = data.chain.transactions
  expect(nodes.flatMap((node) => node.balanceChanges).length).toBeGreaterThan(20)
  for (const { code, events, balanceChanges: said } of nodes) {
    const changes = balanceChanges(events, { vm, known }, { code })
    expect(
      changes.map(({ account, amount, denom, kind, contract }) => [
        account,
        String(amount),
        // The graph names a CW-20 token by its contract, which is in bech32.
        denom ?? (kind === 'TOKEN' && !contract?.startsWith('0x') ? contract : null),
        kind,
      ]),
    ).toEqual(said.map((change) => [change.account?.hexAddress ?? null, change.amount, change.denom, change.kind]))
  }
})

test('balanceChanges of a simulated transaction are those of one account', () => {
  const [payer, receiver] = [
    'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3',
    'init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqf2xh',
  ]
  const event = (type: string, values: Record<string, string>) => ({
    type,
    attributes: Object.entries({ ...values, msg_index: '0' }).map(([key, value]) => ({
      key,
      value,
    })),
  })
  const events = [
    event('coin_spent', { spender: payer, amount: '25uinit' }),
    event('coin_received', { receiver, amount: '25uinit' }),
  ]
  const changes = balanceChanges(events, { vm: 'WASM' }, { account: payer })
  expect(changes).toMatchObject([{ amount: -25n, denom: 'uinit', kind: 'COIN', messageIndex: 0 }])
})

test('the dependency versions match those of the gateway', () => {
  const manifestOf = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
  const gateway = manifestOf('../../../package.json').dependencies
  const words = manifestOf('../../words/package.json')
  expect(manifestOf('../package.json').dependencies).toEqual({
    '@portolan/words': `^${words.version}`,
  })
  for (const [name, version] of Object.entries(words.dependencies)) expect(gateway[name], name).toBe(version)
})
