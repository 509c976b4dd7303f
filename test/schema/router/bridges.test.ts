import { getNamedType, isInterfaceType, isLeafType, isObjectType, isUnionType } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bridges } from '../../../src/schema/router/bridges/bridges.ts'
import { schema } from '../../support/graph.ts'
import { hashOf, type RouterWorld, startFakeRouter, startRouterWorld } from '../../support/routerWorld.ts'
import type { Data } from '../../support/world.ts'
import { type BridgeRow, bridgeRows } from './bridgeRows.ts'

/** What is selected of the objects that operations and hops lead to. */
const selections: Record<string, string> = {
  Asset: '{ symbol }',
  BridgeTransfer: '{ bridge state departure { chainId } arrival { chainId } sequence }',
  Chain: '{ chainId prettyName }',
  OperationFee: '{ kind amount usdValue asset { symbol } }',
  HopTransaction: '{ kind rawKind chainId hash explorerUrl timestamp }',
  TransferProblem: '{ rawKind message details }',
  SwapVenue: '{ name }',
  Coin: '{ denom amount }',
  SwapPath: '{ amountIn }',
}

/** Selects every field of a type. A field of an object type without a selection fails the query. */
function allFields(typeName: string): string {
  const type = schema.getType(typeName)
  if (isUnionType(type)) {
    return `__typename ${type
      .getTypes()
      .map(({ name }) => `... on ${name} { ${allFields(name)} }`)
      .join(' ')}`
  }
  if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`no type ${typeName}`)
  const fields = Object.values(type.getFields()).map((field) => {
    const fieldType = getNamedType(field.type)
    if (isUnionType(fieldType) && fieldType.name.endsWith('Details')) {
      return `${field.name} { ${allFields(fieldType.name)} }`
    }
    return isLeafType(fieldType) ? field.name : `${field.name} ${selections[fieldType.name] ?? ''}`
  })
  return `__typename ${fields.join(' ')}`
}

const records: Record<string, object> = {
  '/v2/info/chains': {
    chains: [
      { chain_id: 'harbor-1', pretty_name: 'Harbor' },
      { chain_id: 'galley-1', pretty_name: 'Galley' },
    ],
  },
  '/v2/fungible/assets': {
    chain_to_assets_map: {
      'harbor-1': { assets: [{ chain_id: 'harbor-1', denom: 'uin', symbol: 'IN', decimals: 1 }] },
      'galley-1': { assets: [{ chain_id: 'galley-1', denom: 'uout', symbol: 'OUT', decimals: 2 }] },
    },
  },
}

let replies: Record<string, object> = {}
let world: RouterWorld
let router: Awaited<ReturnType<typeof startFakeRouter>>

beforeAll(async () => {
  router = await startFakeRouter((path) => ({
    body: JSON.stringify({ ...records, ...replies }[path.replace(/\?.*/, '')] ?? {}),
  }))
  world = await startRouterWorld({ routerUrl: router.url })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await router[Symbol.asyncDispose]()
})

/** What the graph gives for operations when the router quotes these. */
async function readOperations(operations: readonly object[]): Promise<Data[]> {
  replies = { '/v2/fungible/route': { amount_out: '5', operations } }
  const input = '{ source: { chainId: "a", denom: "a" }, destination: { chainId: "b", denom: "b" }, amountIn: 7 }'
  const { route } = await world.data(`{ route(input: ${input}) { operations { ${allFields('RouteOperation')} } } }`)
  return route.operations
}

/** What the graph gives for hops when the router reports these. */
async function readHops(hops: readonly object[]): Promise<Data[]> {
  replies = { '/v2/tx/status': { state: 'STATE_PENDING', transfer_sequence: hops } }
  const { transfer } = await world.data(
    `{ transfer(chainId: "a", hash: "${hashOf('00')}") { hops { ${allFields('TransferHop')} } } }`,
  )
  return transfer.hops
}

/** What every operation or hop has on the wire. */
const chains = { from_chain_id: 'harbor-1', to_chain_id: 'galley-1' }
const expiration = '2026-03-01T00:00:00Z'
const relay = { smart_relay: true, smart_relay_fee_quote: { expiration } }
const commonWire = { ...chains, denom_in: 'uin', denom_out: 'uout', ...relay }

const operationOf = (key: string, wire: object) => ({
  tx_index: 0,
  amount_in: '7',
  amount_out: '5',
  [key]: { ...commonWire, ...wire },
})

const commonFields = {
  fromChainId: 'harbor-1',
  fromChain: { chainId: 'harbor-1', prettyName: 'Harbor' },
  toChainId: 'galley-1',
  toChain: { chainId: 'galley-1', prettyName: 'Galley' },
}

const rowOf = (id: string): BridgeRow => {
  const row = bridgeRows[id]
  if (!row) throw new Error(`no row for the bridge ${id}`)
  return row
}

test('every bridge has a row in the table of this test, and vice versa', () => {
  expect(bridges.map(({ id }) => id).toSorted()).toEqual(Object.keys(bridgeRows).toSorted())
})

test('bridges have distinct ids, keys and types', () => {
  for (const names of [
    bridges.map(({ id }) => id),
    bridges.flatMap(({ operation }) => operation.keys),
    bridges.map(({ hop }) => hop.key),
    bridges.flatMap(({ operation, hop }) => [
      ...(operation.details ? [operation.details.type] : []),
      ...(hop.details ? [hop.details.type] : []),
    ]),
  ]) {
    expect(new Set(names).size).toBe(names.length)
  }
})

for (const { id, operation, hop } of bridges) {
  test(`${id}: all fields of the operation are read, under each key`, async () => {
    const { keys, operation: expected } = rowOf(id)
    expect(operation.keys).toEqual(keys)
    for (const key of keys) {
      const [read] = await readOperations([operationOf(key, expected.wire)])
      const { fees: _fees, ...fields } = read ?? {}
      expect(fields).toEqual({
        __typename: 'RouteOperation',
        kind: 'TRANSFER',
        index: 0,
        transactionIndex: 0,
        requiresSignature: true,
        rawKind: key,
        ...{ amountIn: '7', formattedAmountIn: '0.7', amountOut: '5', formattedAmountOut: '0.05' },
        ...commonFields,
        denomIn: 'uin',
        denomOut: 'uout',
        assetIn: { symbol: 'IN' },
        assetOut: { symbol: 'OUT' },
        bridge: id,
        rawBridge: id,
        isRelayed: true,
        relayQuoteExpiresAt: expiration,
        body: { ...commonWire, ...expected.wire },
        details: operation.details ? { __typename: operation.details.type, ...expected.fields } : null,
      })
    }
  })

  test(`${id}: all fees of the operation are read`, async () => {
    const { keys, fees } = rowOf(id)
    const operations = keys.map((key) => operationOf(key, fees.wire))
    for (const read of await readOperations(operations)) {
      expect(
        read.fees.map((fee: Data) =>
          [fee.kind, fee.amount, fee.usdValue, fee.asset?.symbol].join(' ').replace('  ', ' null '),
        ),
      ).toEqual(fees.read)
    }
  })

  test(`${id}: all fields and transactions of the hop are read`, async () => {
    const row = rowOf(id)
    expect(hop.key).toBe(row.hopKey)
    expect(Object.keys(hop.transactions).toSorted()).toEqual(Object.keys(row.transactions).toSorted())
    const slots = Object.keys(row.transactions).map((slot) => [
      slot,
      {
        chain_id: 'galley-1',
        tx_hash: slot,
        explorer_link: 'https://scan.example/tx',
        on_chain_at: '2026-03-01T00:00:00Z',
      },
    ])
    const txs = Object.fromEntries(slots)
    const groups = row.transactionGroups?.map((group) => ({ [group]: txs })) ?? [txs]
    for (const group of groups) {
      const wire = { ...chains, ...row.hop?.wire, error_message: 'no', txs: group, state: 'NEW' }
      expect(await readHops([{ [row.hopKey]: wire }])).toEqual([
        {
          __typename: 'TransferHop',
          index: 0,
          bridge: id,
          rawBridge: row.hopKey,
          ...commonFields,
          state: 'UNKNOWN',
          reportedState: 'UNKNOWN',
          ...{ beganAt: '2026-03-01T00:00:00Z', endedAt: null },
          rawState: 'NEW',
          isBlocking: false,
          // Only indexed transactions have them.
          ...{ sender: null, recipient: null },
          transactions: Object.entries(row.transactions).map(([slot, kind]) => ({
            kind,
            rawKind: slot,
            chainId: 'galley-1',
            hash: slot,
            explorerUrl: 'https://scan.example/tx',
            timestamp: '2026-03-01T00:00:00Z',
          })),
          error: { rawKind: null, message: 'no', details: null },
          details: hop.details ? { __typename: hop.details.type, ...row.hop?.fields } : null,
          // Without indexed transactions it is what the router says.
          bridgeTransfer: {
            ...{ bridge: id, state: 'UNKNOWN', sequence: null },
            departure: { chainId: commonFields.fromChainId },
            arrival: { chainId: commonFields.toChainId },
          },
          ...{ amountIn: null, formattedAmountIn: null, denomIn: null, assetIn: null },
          ...{ amountOut: null, formattedAmountOut: null, denomOut: null, assetOut: null },
        },
      ])
    }
  })

  test(`${id}: all states of the hop are read`, async () => {
    const { hopKey, states } = rowOf(id)
    const words = states.map((line) => line.split(' ')[0] ?? '')
    expect(Object.keys(hop.states).toSorted()).toEqual(words.toSorted())
    const sequence = words.map((state) => ({ [hopKey]: { ...chains, state } }))
    const hops = await readHops(sequence)
    expect(hops.map(({ rawState, state }) => `${rawState} ${state}`)).toEqual(states)
  })
}

test('an unknown bridge has its body, and known words are read', async () => {
  const wire = { ...bridgeRows.AXELAR?.fees.wire, berth: 'north' }
  const operation = operationOf('ferry_transfer', wire)
  expect(await readOperations([operation])).toMatchObject([
    {
      kind: 'UNKNOWN',
      bridge: null,
      details: { body: { berth: 'north' } },
      fees: [{ kind: 'BRIDGE', amount: '11' }],
    },
  ])
  const hops = [
    { ferry_transfer: { state: 'TRANSFER_SUCCESS', txs: { send_tx: { tx_hash: 'x' } } } },
    { ferry_transfer: { state: 'FERRY_TRANSFER_SENT', txs: { sail_tx: { tx_hash: 'y' } } } },
  ]
  expect(await readHops(hops)).toMatchObject([
    {
      bridge: 'UNKNOWN',
      state: 'COMPLETED',
      transactions: [{ kind: 'SEND' }],
      details: { __typename: 'UnknownHopDetails', body: hops[0]?.ferry_transfer },
    },
    { state: 'UNKNOWN', transactions: [{ kind: 'UNKNOWN', rawKind: 'sail_tx' }] },
  ])
})

test.each([
  ['AXELAR_TRANSFER_CONTRACT_CALL_WITH_TOKEN', 'CONTRACT_CALL_WITH_TOKEN'],
  ['AXELAR_TRANSFER_BY_SEA', 'UNKNOWN'],
  ['toString', 'UNKNOWN'],
  [undefined, null],
])('an Axelar transfer of type %s has mode %s', async (type, mode) => {
  const [hop] = await readHops([{ axelar_transfer: { ...chains, type } }])
  expect(hop?.details).toMatchObject({ mode, rawMode: type ?? null })
})
