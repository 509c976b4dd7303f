import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { makeAccount } from '../../../../packages/sandbox/src/address.ts'
import { createGateway } from '../../../../src/gateway.ts'
import { post } from '../../../support/http.ts'
import { chainIds, type Data, startWorld } from '../../../support/world.ts'

const { hex, bech32 } = makeAccount('init', 20, 'alice')
const transaction = {
  txhash: 'A'.repeat(64),
  height: '7',
  gas_wanted: '0',
  gas_used: '0',
  code: 0,
  timestamp: '2026-01-01T00:00:00Z',
  events: [
    {
      type: 'tx',
      attributes: [{ key: 'acc_seq', value: `${bech32}/0` }],
    },
  ],
}

/** Starts an indexer that knows accounts by these texts alone, and a gateway over it. */
async function startTextIndexer(known: readonly string[], bech32Prefix?: string) {
  const asked: string[] = []
  const answer = (path: string, response: ServerResponse) => {
    const isKnown = !path.includes('/by_account/') || known.some((text) => path.includes(text))
    const list = path.includes('/tokens/') ? 'tokens' : path.includes('/txs') ? 'txs' : 'blocks'
    const items = list === 'txs' && isKnown ? [transaction] : []
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ [list]: items, pagination: { next_key: null, total: '1' } }))
  }
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    answer(url.split('?', 1)[0] ?? '', response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const gateway = await createGateway({
    chains: [{ chainId: 'a-1', url, vm: 'move', bech32Prefix }],
  })
  return {
    ask: async (query: string): Promise<Data> => (await post(gateway.url, { query })).body,
    asked,
    async [Symbol.asyncDispose]() {
      await gateway.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

const activityOf = (address: string) =>
  `account(address: "${address}") { activity(first: 2) { edges { node { hash } } unavailableChains { chain { chainId } } } }`
const transactionsOf = (address: string) =>
  `chain { account(address: "${address}") { transactions(first: 2) { nodes { hash } } } }`

describe.each([
  ['bech32 alone', [bech32]],
  ['any spelling', [bech32, hex]],
])('an indexer that knows an account by %s', (_name, known) => {
  test.each([
    ['configured', 'init'],
    ['shown by its records', undefined],
  ])('is asked by a spelling that it knows if the prefix is %s', async (_claim, prefix) => {
    for (const address of [hex, bech32]) {
      await using world = await startTextIndexer(known, prefix)
      const { data, errors } = await world.ask(`{ ${activityOf(address)} ${transactionsOf(address)} }`)
      expect(errors).toBeUndefined()
      expect(data.account.activity.edges).toHaveLength(1)
      expect(data.chain.account.transactions.nodes).toHaveLength(1)
    }
  })
})

test('all spellings of an account are one request to an indexer', async () => {
  await using world = await startTextIndexer([bech32], 'init')
  const names = [hex, bech32, bech32.toUpperCase(), makeAccount('osmo', 20, 'alice').bech32]
  const aliases = names.map((address, i) => `a${i}: ${transactionsOf(address)}`)
  const { errors } = await world.ask(`{ ${aliases.join(' ')} }`)
  expect(errors).toBeUndefined()
  expect(world.asked.filter((url) => url.includes('/by_account/'))).toHaveLength(1)
})

describe('an unpaired surrogate in place of an address in a record', () => {
  test('is a fault of the indexer at the fields below it', async () => {
    await using world = await startWorld({ odd: false })
    const change = (body: unknown) => {
      for (const token of (body as Data).tokens) {
        token.owner = '\ud800'
        token.collection_addr = '\udc00'
      }
      return body
    }
    world.sandbox.faults.set(chainIds.EVM, '/indexer/nft/v1/tokens/by_collection', {
      kind: 'change',
      change,
    })
    const list = '(first: 1) { nodes { __typename } }'
    const { errors = [] } = await world.ask(`{ chain(chainId: "${chainIds.EVM}") {
      nftCollections(first: 1) { nodes { nfts(first: 1) { nodes {
        transactions${list}
        owner { transactions${list} evmTransactions${list} evmInternalTransactions${list} nfts${list} nftCollections${list} }
        collection { nftCount nfts${list} }
      } } } }
    } }`)
    expect(errors.map(({ path = [] }) => path.slice(7).join('.')).toSorted()).toEqual([
      'collection.nftCount',
      'collection.nfts',
      'owner.evmInternalTransactions',
      'owner.evmTransactions',
      'owner.nftCollections',
      'owner.nfts',
      'owner.transactions',
      'transactions',
    ])
    const blamed = { code: 'UPSTREAM_INVALID_RESPONSE', service: chainIds.EVM }
    for (const error of errors) expect(error).toMatchObject({ extensions: blamed })
  })
})

test('a message keeps its key `__proto__`', async () => {
  await using world = await startWorld({ odd: false })
  const change = (body: unknown) => {
    for (const { tx } of (body as Data).txs) {
      tx.body.messages = [JSON.parse('{"@type":"/a.B","__proto__":{"a":{"__proto__":1}},"b":2}')]
    }
    return body
  }
  world.sandbox.faults.set(chainIds.WASM, '/indexer/tx/v1/txs', { kind: 'change', change })
  const response = await fetch(world.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `{ chain(chainId: "${chainIds.WASM}") { transactions(first: 1) { nodes { messages { body } } } } }`,
    }),
  })
  expect(await response.text()).toContain('{"body":{"__proto__":{"a":{"__proto__":1}},"b":2}}')
})
