import { describe, expect, test } from 'vitest'
import { chainIds, type Data, everyChain, startWorld } from '../../../support/world.ts'

// Nodes before CometBFT 0.37 wrote the attributes of events in base64.

const account = '{ address }'
const fields = `hash
  events { type attributes { key value isIndexed } }
  signers { account ${account} }
  actions { kind title amounts { amount } }
  coinTransfers { sender ${account} recipient ${account} coins { amount denom } }
  tokenTransfers { standard amount }
  balanceChanges { kind amount denom messageIndex account ${account} }`

const queryOf = (chainId: string) =>
  `{ chain(chainId: "${chainId}") { transactions(first: 40) { nodes { ${fields} } } } }`

const inBase64 = (text: string) => Buffer.from(text).toString('base64')

/** Changes the events of all transactions that an indexer sends. */
const changeEvents = (change: (event: Data) => void) => ({
  kind: 'change' as const,
  change: (body: unknown) => {
    for (const { events } of (body as Data).txs) events.forEach(change)
    return body
  },
})

const code = (event: Data): void => {
  for (const attribute of event.attributes) {
    attribute.key = inBase64(attribute.key)
    attribute.value = inBase64(attribute.value)
  }
}

test.each(everyChain)('events in base64 are read as plain ones on $vm', async ({ chainId }) => {
  await using world = await startWorld({ odd: false })
  const plain = await world.data(queryOf(chainId))
  await using other = await startWorld({ odd: false })
  other.sandbox.faults.set(chainId, '/indexer/tx/v1/txs', changeEvents(code))
  expect(await other.data(queryOf(chainId))).toEqual(plain)
  expect(plain.chain.transactions.nodes[0].balanceChanges.length).toBeGreaterThan(0)
})

describe('an event in base64 with a value that is not', () => {
  test('is as it was sent, and what is read from all events is an error', async () => {
    await using world = await startWorld({ odd: false })
    const spoil = (event: Data) => {
      code(event)
      event.attributes[0].value = '/w=='
    }
    world.sandbox.faults.set(chainIds.WASM, '/indexer/tx/v1/txs', changeEvents(spoil))
    const { data, errors } = await world.ask(
      `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 1) { nodes { ${fields} } } } }`,
    )
    const [node] = data.chain.transactions.nodes
    expect(node.events[0].attributes[0].value).toBe('/w==')
    const unread = ['actions', 'coinTransfers', 'tokenTransfers', 'balanceChanges']
    expect(unread.map((name) => node[name])).toEqual([null, null, null, null])
    expect(errors?.map(({ path }) => path?.at(-1)).toSorted()).toEqual(unread.toSorted())
    const extensions = { code: 'UPSTREAM_INVALID_RESPONSE', service: chainIds.WASM }
    for (const error of errors ?? []) expect(error).toMatchObject({ extensions })
  })
})

test('a contract cannot pass plain events for coded ones', async () => {
  await using world = await startWorld({ odd: false })
  const first = `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 1) { nodes { events { attributes { key } } } } } }`
  // Chains write such a key themselves.
  const own = { key: '_contract_address', value: 'a' }
  const forge = (event: Data) => {
    event.attributes = [{ key: inBase64('spender'), value: inBase64('b') }, own]
  }
  world.sandbox.faults.set(chainIds.WASM, '/indexer/tx/v1/txs', changeEvents(forge))
  const { chain } = await world.data(first)
  expect(chain.transactions.nodes[0].events[0].attributes).toEqual([
    { key: inBase64('spender') },
    { key: '_contract_address' },
  ])
})
