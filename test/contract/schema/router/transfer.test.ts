import { expect, test } from 'vitest'
import { hashOf, startFakeRouter, startRouterWorld } from '../../../support/routerWorld.ts'

const track = `mutation ($chainId: ChainId!, $txHash: String!) {
  trackTransfer(input: { chainId: $chainId, hash: $txHash }) {
    explorerUrl
    transfer { state }
    query { service { hasRouter } }
  }
}`

const transfer = `query ($chainId: ChainId!, $txHash: String!) {
  transfer(chainId: $chainId, hash: $txHash) {
    id chainId chain { chainId prettyName } hash
    state rawState isTerminal outcome
    transaction { ... on Transaction { hash } ... on EvmTransaction { hash } }
    hops {
      index bridge rawBridge state rawState isBlocking
      fromChainId fromChain { chainId } toChainId toChain { chainId }
      transactions { kind rawKind chainId hash explorerUrl timestamp transaction { __typename ... on Transaction { hash height } } }
      amountOut denomOut assetOut { symbol } details { __typename ... on UnknownHopDetails { body } }
    }
    blockingHop { index }
    legs { state outcome hops { index } assetRelease { denom } error { message } }
    assetRelease { chainId denom amount isReleased asset { symbol } }
    error { rawKind message }
  }
}`

const at = (ending: string, chainId = 'harbor-1') => ({ chainId, txHash: hashOf(ending) })

test('an untracked transfer is null', async () => {
  await using world = await startRouterWorld()
  expect(await world.data(transfer, at('00'))).toEqual({ transfer: null })
})

test('a tracked transfer has hops, chains and indexed transactions', async () => {
  await using world = await startRouterWorld()
  const tracked = await world.data(track, at('02'))
  expect(tracked.trackTransfer).toEqual({
    explorerUrl: expect.stringContaining('http'),
    transfer: { state: 'SUBMITTED' },
    query: { service: { hasRouter: true } },
  })
  await world.clock.advance(5_000)
  const early = (await world.data(transfer, at('02'))).transfer
  expect(early).toMatchObject({ state: 'PENDING', isTerminal: false, outcome: 'PENDING' })
  expect(early.hops[early.blockingHop.index]).toMatchObject({ isBlocking: true, state: 'PENDING' })

  await world.clock.advance(60_000)
  const late = (await world.data(transfer, at('02'))).transfer
  expect(late).toMatchObject({
    chainId: 'harbor-1',
    chain: { chainId: 'harbor-1', prettyName: 'Harbor' },
    state: 'COMPLETED_SUCCESS',
    rawState: 'STATE_COMPLETED_SUCCESS',
    isTerminal: true,
    outcome: 'SUCCEEDED',
    blockingHop: null,
    assetRelease: { isReleased: true },
    error: null,
  })
  expect(late.legs).toHaveLength(1)
  expect(late.hops).toHaveLength(3)
  for (const hop of late.hops) {
    expect(hop).toMatchObject({ state: 'COMPLETED', bridge: expect.not.stringMatching('UNKNOWN') })
    expect(hop.transactions[0]).toMatchObject({
      kind: expect.any(String),
      chainId: hop.fromChainId,
    })
  }
  const seen = late.hops.flatMap((hop: { transactions: unknown[] }) => hop.transactions)
  const indexed = seen.filter(({ transaction }: { transaction: unknown }) => transaction)
  expect(indexed.length).toBeGreaterThan(0)
  for (const { hash, transaction } of indexed) {
    expect(transaction.hash.toLowerCase().replace('0x', '')).toBe(hash.toLowerCase().replace('0x', ''))
  }
})

const endings: Record<string, { ending: string; end: object }> = {
  'a refund': { ending: 'e0', end: { state: 'COMPLETED_ERROR', outcome: 'FAILED' } },
  'funds released on a chain between': {
    ending: 'e1',
    end: { state: 'COMPLETED_ERROR', outcome: 'FAILED' },
  },
  'an abandoned transfer': { ending: 'e2', end: { state: 'ABANDONED', outcome: 'ABANDONED' } },
  'a success that only `status` reports': {
    ending: 'e8',
    end: { state: 'COMPLETED_SUCCESS', rawState: 'STATE_COMPLETED', outcome: 'SUCCEEDED' },
  },
  'a failure that only `status` reports': {
    ending: 'e9',
    end: { state: 'COMPLETED_ERROR', rawState: 'STATE_FAILED', outcome: 'FAILED' },
  },
}

for (const [name, { ending, end }] of Object.entries(endings)) {
  test(`reads ${name}`, async () => {
    await using world = await startRouterWorld()
    await world.data(track, at(ending))
    await world.clock.advance(90_000)
    expect((await world.data(transfer, at(ending))).transfer).toMatchObject({
      ...end,
      isTerminal: true,
    })
  })
}

test('a failed transfer has an error and the location of the funds', async () => {
  await using world = await startRouterWorld()
  await world.data(track, at('e0'))
  await world.clock.advance(90_000)
  expect((await world.data(transfer, at('e0'))).transfer).toMatchObject({
    assetRelease: {
      chainId: 'harbor-1',
      isReleased: true,
      amount: expect.any(String),
      asset: { symbol: expect.any(String) },
    },
    error: { rawKind: 'STATUS_ERROR_TRANSFER' },
  })
})

test('an unknown state is not terminal and not a failure', async () => {
  await using world = await startRouterWorld()
  await world.data(track, at('e7'))
  const seen: unknown[] = []
  for (let turn = 0; turn < 30; turn += 1) {
    await world.clock.advance(1_000)
    const { rawState, state, isTerminal, outcome } = (await world.data(transfer, at('e7'))).transfer
    if (state === 'UNKNOWN') seen.push([rawState, isTerminal, outcome])
  }
  expect(seen[0]).toEqual(['STATE_AWAITING_TIDE', false, 'PENDING'])
  expect((await world.data(transfer, at('e7'))).transfer.outcome).toBe('SUCCEEDED')
})

test('a hop over an unknown bridge has its body, and is not a failure', async () => {
  await using world = await startRouterWorld()
  await world.data(track, at('e6'))
  await world.clock.advance(90_000)
  const { transfer: result } = await world.data(transfer, at('e6'))
  expect(result.outcome).toBe('SUCCEEDED')
  expect(result.hops[0]).toMatchObject({
    bridge: 'UNKNOWN',
    rawBridge: expect.stringMatching(/./),
    fromChainId: 'harbor-1',
    details: { __typename: 'UnknownHopDetails', body: expect.any(Object) },
  })
})

test('two transfers of one transaction are two legs that end together', async () => {
  await using world = await startRouterWorld()
  await world.data(track, at('e5'))
  await world.clock.advance(90_000)
  const { transfer: result } = await world.data(transfer, at('e5'))
  expect(result.legs).toHaveLength(2)
  expect(result.hops).toHaveLength(result.legs[0].hops.length + result.legs[1].hops.length)
  expect(result).toMatchObject({ state: 'COMPLETED_SUCCESS', isTerminal: true })
})

test('all forms of a hash lead to one transfer, with one form of the hash', async () => {
  await using world = await startRouterWorld()
  const { chainId, txHash } = at('00')
  await world.data(track, { chainId, txHash: `0x${txHash.toLowerCase()}` })
  const ids = new Set<string>()
  for (const notation of [txHash, txHash.toLowerCase(), `0x${txHash.toLowerCase()}`]) {
    const { transfer: result } = await world.data(transfer, { chainId, txHash: notation })
    expect(result.hash).toBe(txHash.toUpperCase())
    ids.add(result.id)
  }
  expect(ids.size).toBe(1)
  const [id] = ids
  const node = '($id: ID!) { node(id: $id) { id ... on Transfer { chainId state } } }'
  expect((await world.data(`query ${node}`, { id })).node).toEqual({
    id,
    chainId,
    state: expect.any(String),
  })
})

test('an invalid chain or hash is refused without a request', async () => {
  await using world = await startRouterWorld()
  const hash = hashOf('00')
  const bad = [
    ['harbor-1', ''],
    ['harbor-1', '..'],
    ['harbor-1', '../../status'],
    ['harbor-1', `${hash}&chain_id=x`],
    ['harbor-1', `${hash}\u0000`],
    ['harbor-1', hash.slice(1)],
    ['harbor-1', 'ab'.repeat(31)],
    ['harbor-1', '\ud800'.repeat(64)],
    ['', hash],
    ['a,b', hash],
    ['a b', hash],
    ['../x', hash],
  ]
  for (const [chainId, txHash] of bad) {
    expect(await world.fault(transfer, { chainId, txHash })).toEqual(['BAD_USER_INPUT'])
    expect(await world.fault(track, { chainId, txHash })).toEqual(['BAD_USER_INPUT'])
  }
  expect(world.requests()).toEqual([])
})

test('tracking waits until the transaction is visible', async () => {
  await using world = await startRouterWorld()
  const tracking = world.data(track, at('ea'))
  for (let turn = 0; turn < 4; turn += 1) await world.clock.advance(1_000)
  expect((await tracking).trackTransfer.transfer.state).toBe('SUBMITTED')
  const posts = world.requests().filter((request) => request.startsWith('POST'))
  expect(posts).toEqual(Array(3).fill('POST /v2/tx/track'))
})

test('tracking fails with NOT_VISIBLE_YET before the timeout', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/track', {
    kind: 'status',
    status: 404,
    body: '{"code":5,"message":"tx not found","details":[]}',
  })
  const tracking = world.fault(track, at('00'))
  for (let turn = 0; turn < 15; turn += 1) await world.clock.advance(1_000)
  expect(await tracking).toEqual(['UPSTREAM_REJECTED', 'NOT_VISIBLE_YET'])
})

test('tracking is retried after a transient error', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/track', { kind: 'status', status: 503, times: 1 })
  const tracking = world.data(track, at('00'))
  for (let turn = 0; turn < 2; turn += 1) await world.clock.advance(1_000)
  expect((await tracking).trackTransfer.transfer.state).toBe('SUBMITTED')
})

test('tracking succeeds on an empty response', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/track', { kind: 'status', status: 200, body: '' })
  expect(await world.data(track, at('00'))).toEqual({
    trackTransfer: { explorerUrl: null, transfer: null, query: { service: { hasRouter: true } } },
  })
})

test('tracking that succeeds says why the state is missing', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('router', '/v2/tx/status', { kind: 'status', status: 500 })
  const { data, errors } = await world.ask(track, at('00'))
  expect(data.trackTransfer).toMatchObject({ explorerUrl: expect.any(String), transfer: null })
  expect(errors).toMatchObject([{ path: ['trackTransfer', 'transfer'], extensions: { code: 'UPSTREAM_UNAVAILABLE' } }])
})

test('tracking on an unknown chain fails without a retry', async () => {
  await using world = await startRouterWorld()
  expect(await world.fault(track, at('00', 'nowhere-1'))).toEqual(['UPSTREAM_REJECTED'])
  expect(world.requests()).toEqual(['POST /v2/tx/track'])
})

test('tracking can be repeated, and resumes an abandoned transfer', async () => {
  await using world = await startRouterWorld()
  await world.data(track, at('e2'))
  await world.data(track, at('e2'))
  await world.clock.advance(10_000)
  expect((await world.data(transfer, at('e2'))).transfer.state).toBe('ABANDONED')
  expect((await world.data(track, at('e2'))).trackTransfer.transfer.state).not.toBe('ABANDONED')
  await world.clock.advance(90_000)
  expect((await world.data(transfer, at('e2'))).transfer.outcome).toBe('SUCCEEDED')
})

test('without a router, transfers are a NOT_CONFIGURED error', async () => {
  await using world = await startRouterWorld({ routerUrl: null })
  expect(await world.fault(transfer, at('00'))).toEqual(['NOT_CONFIGURED'])
  expect(await world.fault(track, at('00'))).toEqual(['NOT_CONFIGURED'])
})

const bodies: Record<string, { body: unknown; state: string; hops?: string[] }> = {
  'only `transfers`': {
    body: { transfers: [{ state: 'STATE_COMPLETED_SUCCESS', transfer_sequence: [] }] },
    state: 'COMPLETED_SUCCESS',
  },
  'only the top level': {
    body: {
      status: 'STATE_PENDING',
      transfer_sequence: [{ cctp_transfer_v2: { src_chain_id: '1', state: 'CCTP_TRANSFER_SENT' } }],
    },
    state: 'PENDING',
    hops: ['CCTP_V2 PENDING'],
  },
  'the generic end and a failed transfer': {
    body: { state: 'STATE_COMPLETED', transfers: [{ state: 'STATE_COMPLETED_ERROR' }] },
    state: 'COMPLETED_ERROR',
  },
  'the generic end and an error': {
    body: { status: 'STATE_COMPLETED', error: { message: 'refused' } },
    state: 'COMPLETED_ERROR',
  },
  'the generic end and an error of one sentence': {
    body: { status: 'STATE_COMPLETED', error: 'refused' },
    state: 'COMPLETED_ERROR',
  },
  'the generic end and a failed hop': {
    body: {
      status: 'STATE_COMPLETED',
      transfer_sequence: [{ ibc_transfer: { state: 'TRANSFER_FAILURE' } }],
    },
    state: 'COMPLETED_ERROR',
    hops: ['IBC FAILED'],
  },
  'the generic end and transfers without a state': {
    body: { status: 'STATE_COMPLETED', transfers: [null, { transfer_sequence: [] }] },
    state: 'COMPLETED_SUCCESS',
  },
  'hops with states of transfers, and a hop without a bridge': {
    body: {
      status: 'STATE_PENDING',
      transfer_sequence: [
        { state: 'STATE_COMPLETED', from_chain_id: 'a', txs: { send_tx: { tx_hash: 'x' } } },
        { ibc_transfer: { state: 'STATE_FAILED' } },
        { ibc_transfer: { state: 'STATE_PENDING' } },
      ],
    },
    state: 'PENDING',
    hops: ['UNKNOWN COMPLETED', 'IBC FAILED', 'IBC PENDING'],
  },
  'two transfers of which one is complete': {
    body: {
      state: 'STATE_COMPLETED_SUCCESS',
      transfers: [{ state: 'STATE_COMPLETED_SUCCESS' }, { state: 'STATE_PENDING' }],
    },
    state: 'PENDING',
  },
  'a state that disagrees with the status': {
    body: { state: 'STATE_PENDING', status: 'STATE_COMPLETED' },
    state: 'PENDING',
  },
  'the state that the router calls unknown': {
    body: { state: 'STATE_UNKNOWN' },
    state: 'UNKNOWN',
  },
  'a state unknown to the gateway, and the status of an end': {
    body: { state: 'STATE_LOST', status: 'STATE_COMPLETED', transfers: [{ state: 'STATE_LOST' }] },
    state: 'COMPLETED_SUCCESS',
  },
  'a state unknown to the gateway, and the status of a failure': {
    body: { state: 'STATE_LOST', status: 'STATE_FAILED' },
    state: 'COMPLETED_ERROR',
  },
  'a state unknown to the gateway, and a status before the end': {
    body: { state: 'STATE_LOST', status: 'STATE_PENDING' },
    state: 'UNKNOWN',
  },
  'the generic end, and the status of a failure': {
    body: { state: 'STATE_COMPLETED', status: 'STATE_FAILED' },
    state: 'COMPLETED_ERROR',
  },
  'a pending error': {
    body: { state: 'STATE_PENDING_ERROR', status: 'STATE_PENDING' },
    state: 'PENDING_ERROR',
  },
  'hops of every shape': {
    body: {
      state: 'STATE_PENDING',
      transfer_sequence: [
        { ibc_transfer: { state: 'TRANSFER_RECEIVED', packet_txs: null } },
        { layer_zero_transfer: { state: 'LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE', txs: {} } },
        { go_fast_transfer: { state: 'GO_FAST_POST_ACTION_FAILED', error_message: 'x' } },
        { op_init_transfer: { state: 'OPINIT_TRANSFER_RECEIVED', txs: { send_tx: 7 } } },
        { hyperlane_transfer: { state: 'HYPERLANE_TRANSFER_LOST' } },
        { ferry_transfer: { state: 3 } },
        { constructor: {} },
        {},
        null,
      ],
    },
    state: 'PENDING',
    hops: [
      'IBC PENDING',
      'LAYER_ZERO PENDING',
      'GO_FAST FAILED',
      'OPINIT COMPLETED',
      'HYPERLANE UNKNOWN',
      'UNKNOWN UNKNOWN',
      'UNKNOWN UNKNOWN',
      'UNKNOWN UNKNOWN',
      'UNKNOWN UNKNOWN',
    ],
  },
}

for (const [name, { body, state, hops }] of Object.entries(bodies)) {
  test(`reads a status with ${name}`, async () => {
    await using router = await startFakeRouter(() => ({ body: JSON.stringify(body) }))
    await using world = await startRouterWorld({ routerUrl: router.url })
    const { transfer: result } = await world.data(
      '{ transfer(chainId: "a", hash: "' +
        `${hashOf('00')}") { state hops { bridge state transactions { kind } error { message } } } }`,
    )
    expect(result.state).toBe(state)
    expect(result.hops.map((hop: Record<string, string>) => `${hop.bridge} ${hop.state}`)).toEqual(hops ?? [])
  })
}

test('a response without a state is invalid', async () => {
  for (const body of ['[]', '{"code":5}', '{"transfers":7}', 'OK']) {
    await using router = await startFakeRouter(() => ({ body }))
    await using world = await startRouterWorld({ routerUrl: router.url })
    expect(await world.fault(transfer, at('00'))).toEqual(['UPSTREAM_INVALID_RESPONSE'])
  }
})

test('a response that says nothing is that of a transaction which the router does not know', async () => {
  for (const body of ['', '{}', 'null', '{"state":"","transfers":[]}', '{"transfers":[{}]}']) {
    await using router = await startFakeRouter(() => ({ body }))
    await using world = await startRouterWorld({ routerUrl: router.url })
    expect((await world.data(transfer, at('00'))).transfer).toBeNull()
  }
})

test('a transaction without a hash has its link, and one without both is skipped', async () => {
  const link = 'https://scan.example/tx'
  const body = {
    state: 'STATE_PENDING',
    transfer_sequence: [
      {
        ibc_transfer: {
          state: 'TRANSFER_PENDING',
          packet_txs: { send_tx: { chain_id: '1', explorer_link: link }, receive_tx: {} },
        },
      },
    ],
  }
  await using router = await startFakeRouter(() => ({ body: JSON.stringify(body) }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { transfer: result } = await world.data(transfer, at('00'))
  expect(result.hops[0].transactions).toEqual([
    {
      ...{ kind: 'SEND', rawKind: 'send_tx', chainId: '1', hash: null },
      ...{ explorerUrl: link, timestamp: null, transaction: null },
    },
  ])
})

test('the last hop has the amount and asset of the release', async () => {
  const hop = (from: string, to: string, more: object = {}) => ({
    ibc_transfer: {
      ...{ from_chain_id: from, to_chain_id: to, state: 'TRANSFER_SUCCESS' },
      ...more,
    },
  })
  const body = {
    state: 'STATE_COMPLETED_SUCCESS',
    transfer_sequence: [hop('osmosis-1', 'noble-1', { amount_out: '8', denom_out: 'ux' }), hop('noble-1', 'harbor-1')],
    transfer_asset_release: { chain_id: 'harbor-1', denom: 'uinit', amount: '7', released: true },
  }
  await using router = await startFakeRouter((path) => ({
    body: path.startsWith('/v2/tx/status') ? JSON.stringify(body) : '{}',
  }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { transfer: result } = await world.data(transfer, at('00'))
  expect(result.hops).toMatchObject([
    { amountOut: '8', denomOut: 'ux', assetOut: null },
    { amountOut: '7', denomOut: 'uinit' },
  ])
})

/** What the graph gives for the status that a router reports. */
async function read(body: object, fields: string) {
  await using router = await startFakeRouter(() => ({ body: JSON.stringify(body) }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  const query = `{ transfer(chainId: "harbor-1", hash: "${hashOf('00')}") { ${fields} } }`
  return (await world.data(query)).transfer
}

test('blockingHop is the hop where a transfer stopped', async () => {
  const hop = (state: string) => ({ ibc_transfer: { state } })
  const stopped = async (state: string, sequence: object[]) => {
    const body = { state, transfer_sequence: sequence, next_blocking_transfer: null }
    return (await read(body, 'blockingHop { index }')).blockingHop?.index ?? null
  }
  const done = hop('TRANSFER_SUCCESS')
  const pending = hop('TRANSFER_PENDING')
  expect(await stopped('STATE_ABANDONED', [done, pending])).toBe(1)
  expect(await stopped('STATE_COMPLETED_ERROR', [hop('TRANSFER_FAILURE'), pending])).toBe(0)
  expect(await stopped('STATE_COMPLETED_ERROR', [])).toBeNull()
  expect(await stopped('STATE_COMPLETED_SUCCESS', [done, done])).toBeNull()
  expect(await stopped('STATE_PENDING', [done, pending])).toBeNull()
})

test('rawState matches state if there are several transfers', async () => {
  const of = (top: string, ...legs: string[]) =>
    read({ state: top, transfers: legs.map((state) => ({ state })) }, 'state rawState')
  expect(await of('STATE_COMPLETED_SUCCESS', 'STATE_COMPLETED_ERROR', 'STATE_COMPLETED_SUCCESS')).toEqual({
    state: 'COMPLETED_ERROR',
    rawState: 'STATE_COMPLETED_ERROR',
  })
  expect(await of('STATE_PENDING', 'STATE_PENDING', 'STATE_COMPLETED_SUCCESS')).toEqual({
    state: 'PENDING',
    rawState: 'STATE_PENDING',
  })
})
