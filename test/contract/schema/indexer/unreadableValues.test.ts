import { expect, test } from 'vitest'
import { chainIds, type Data, startWorld } from '../../../support/world.ts'

// A value that an indexer sends and the gateway cannot read is null with an error. One that it does not send is null
// alone.

const evm = chainIds.EVM
const path = '/indexer/tx/v1/txs?'
const first = (fields: string) => `transactions(first: 1) { nodes { ${fields} } }`
const firstTx = ['transactions', 'nodes', 0]

const rows: readonly [string, string, (body: Data, value: unknown) => void, string, (string | number)[]][] = [
  [
    'internal_tx_height',
    '/status',
    (body, value) => (body.internal_tx_height = value),
    'status { height internalTransactionHeight }',
    ['status', 'internalTransactionHeight'],
  ],
  [
    'rich_list_height',
    '/status',
    (body, value) => (body.rich_list_height = value),
    'status { height richListHeight }',
    ['status', 'richListHeight'],
  ],
  [
    'block_time',
    '/indexer/block/v1/blocks?',
    ({ blocks: [block] }, value) => (block.block_time = value),
    'blocks(first: 1) { nodes { blockTimeSeconds hash } }',
    ['blocks', 'nodes', 0, 'blockTimeSeconds'],
  ],
  [
    'gas_limit',
    path,
    ({ txs: [{ tx }] }, value) => (tx.auth_info.fee.gas_limit = value),
    first('hash fee { gasLimit amount { denom } }'),
    [...firstTx, 'fee', 'gasLimit'],
  ],
  [
    'sequence',
    path,
    ({ txs: [{ tx }] }, value) => (tx.auth_info.signer_infos = [{ sequence: value }]),
    first('hash signers { sequence }'),
    [...firstTx, 'signers', 0, 'sequence'],
  ],
  [
    'public_key',
    path,
    ({ txs: [{ tx }] }, value) => (tx.auth_info.signer_infos = [{ public_key: value }]),
    first('hash signers { publicKey }'),
    [...firstTx, 'signers', 0, 'publicKey'],
  ],
  [
    'type of a public key',
    path,
    ({ txs: [{ tx }] }, value) =>
      (tx.auth_info.signer_infos = [{ public_key: { '@type': value && [value], key: 'a' } }]),
    first('hash signers { publicKeyType }'),
    [...firstTx, 'signers', 0, 'publicKeyType'],
  ],
  [
    'mode',
    path,
    ({ txs: [{ tx }] }, value) => (tx.auth_info.signer_infos = [{ mode_info: { single: { mode: value && [value] } } }]),
    first('hash signers { signMode }'),
    [...firstTx, 'signers', 0, 'signMode'],
  ],
  [
    'threshold',
    path,
    ({ txs: [{ tx }] }, value) => (tx.auth_info.signer_infos = [{ public_key: { threshold: value, public_keys: [] } }]),
    first('hash signers { multisig { threshold } }'),
    [...firstTx, 'signers', 0, 'multisig'],
  ],
  [
    'timeout_height',
    path,
    ({ txs: [{ tx }] }, value) => (tx.body.timeout_height = value),
    first('hash timeoutHeight'),
    [...firstTx, 'timeoutHeight'],
  ],
  [
    'tip',
    path,
    ({ txs: [{ tx }] }, value) => (tx.auth_info.tip = value),
    first('hash tip { tipper { address } }'),
    [...firstTx, 'tip'],
  ],
  [
    'nfts.length',
    '/indexer/nft/v1/collections?',
    ({ collections: [{ collection }] }, value) => (collection.nfts = { length: value }),
    'nftCollections(first: 1) { nodes { address nftCount } }',
    ['nftCollections', 'nodes', 0, 'nftCount'],
  ],
  [
    'total',
    '/indexer/nft/v1/collections?',
    ({ pagination }, value) => (pagination.total = value),
    'nftCollections(first: 1) { nodes { address } totalCount }',
    ['nftCollections', 'totalCount'],
  ],
]

test.each([
  ['the largest that a UInt53 has', '9007199254740991', 9007199254740991],
  ['one more', '9007199254740992', null],
  ['the largest of 64 bits', '18446744073709551615', null],
])('%s is a timeout height and a sequence that a chain allows', async (_claim, value, asCount) => {
  await using world = await startWorld()
  const change = (body: unknown) => {
    for (const { tx } of (body as Data).txs) {
      tx.body.timeout_height = value
      tx.auth_info.signer_infos[0].sequence = value
    }
    return body
  }
  world.sandbox.faults.set(evm, path, { kind: 'change', change })
  const fields = 'timeoutHeight exactTimeoutHeight signers { sequence exactSequence }'
  const { data, errors } = await world.ask(`{ chain(chainId: "${evm}") { ${first(fields)} } }`)
  expect(errors).toBeUndefined()
  expect(at(data.chain, firstTx)).toMatchObject({
    timeoutHeight: asCount,
    exactTimeoutHeight: value,
    signers: [{ sequence: asCount, exactSequence: value }],
  })
})

test('a timeout height of more than 64 bits cannot be read', async () => {
  await using world = await startWorld()
  const change = (body: unknown) => {
    for (const { tx } of (body as Data).txs) tx.body.timeout_height = '18446744073709551616'
    return body
  }
  world.sandbox.faults.set(evm, path, { kind: 'change', change })
  const query = first('hash exactTimeoutHeight')
  const { data, errors } = await world.ask(`{ chain(chainId: "${evm}") { ${query} } }`)
  expect(errors).toMatchObject([{ extensions: { code: 'UPSTREAM_INVALID_RESPONSE' } }])
  expect(at(data.chain, [...firstTx, 'exactTimeoutHeight'])).toBeNull()
})

const at = (data: Data, path: readonly (string | number)[]): Data =>
  path.reduce<Data>((value, key) => value?.[key], data)

test.each(rows)(
  'an unreadable %s is null with an error at its field, a missing one without',
  async (_claim, prefix, put, query, path) => {
    await using world = await startWorld()
    const answer = (value: unknown) => {
      const change = (body: unknown) => {
        put(body as Data, value)
        return body
      }
      world.sandbox.faults.set(evm, prefix, { kind: 'change', change })
      return world.ask(`{ chain(chainId: "${evm}") { ${query} } }`)
    }
    const broken = await answer('many')
    const code = 'UPSTREAM_INVALID_RESPONSE'
    expect(broken.errors).toMatchObject([{ path: ['chain', ...path], extensions: { code, service: evm } }])
    expect(broken.errors).toHaveLength(1)
    expect(at(broken.data.chain, path)).toBeNull()
    // Its record is there.
    expect(at(broken.data.chain, path.slice(0, -1))).not.toBeNull()
    for (const absent of [undefined, null, '']) {
      const { data, errors } = await answer(absent)
      expect([absent, errors, at(data.chain, path)]).toEqual([absent, undefined, null])
    }
  },
)

test.each([undefined, null])('a quantity of an EVM record that is %s is null', async (absent) => {
  await using world = await startWorld()
  const ask = (prefix: string, names: readonly string[], query: string) => {
    const change = (body: unknown) => {
      const [record] = Object.values(body as Data).find(Array.isArray) ?? []
      for (const name of names) record[name] = absent
      return body
    }
    world.sandbox.faults.set(evm, prefix, { kind: 'change', change })
    return world.data(`{ chain(chainId: "${evm}") { ${query} } }`)
  }
  const ofReceipt = ['cumulativeGasUsed', 'effectiveGasPrice', 'gasUsed']
  const receipts = await ask(
    '/indexer/tx/v1/evm-txs?',
    [...ofReceipt, 'status', 'transactionIndex', 'type'],
    `evmTransactions(first: 1) { nodes { ${ofReceipt.join(' ')} isSuccessful index type } }`,
  )
  expect(new Set(Object.values(receipts.chain.evmTransactions.nodes[0]))).toEqual(new Set([null]))
  const calls = await ask(
    '/indexer/tx/v1/evm-internal-txs?',
    ['parent_index', 'value', 'gas', 'gasUsed'],
    'evmInternalTransactions(first: 1) { nodes { parentIndex value gas gasUsed } }',
  )
  expect(new Set(Object.values(calls.chain.evmInternalTransactions.nodes[0]))).toEqual(new Set([null]))
})
