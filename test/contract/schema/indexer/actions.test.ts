import { describe, expect, test } from 'vitest'
import { makeAccount } from '../../../../packages/sandbox/src/address.ts'
import { startSandbox } from '../../../../packages/sandbox/src/sandbox.ts'
import { type Event, event, marked } from '../../../../packages/sandbox/src/world/events.ts'
import { createGateway } from '../../../../src/gateway.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import {
  chainIds,
  type Data,
  everyChain,
  now,
  startWorld,
  testOfPlainRecords,
  type World,
  youngChains,
} from '../../../support/world.ts'

const transactionsOf = (chainId: string, select: string, first = 60) =>
  `{ chain(chainId: "${chainId}") { transactions(first: ${first}) { nodes { hash ${select} } } } }`

const actions = async (world: World, chainId: string, select: string): Promise<Data[]> => {
  const { chain } = await world.data(transactionsOf(chainId, `actions { ${select} }`))
  return chain.transactions.nodes.flatMap((node: Data) => node.actions)
}

const list = '/indexer/tx/v1/txs'

/** Has a chain answer with these records. */
const serve = (world: World, chainId: string, txs: readonly Data[]) =>
  world.sandbox.faults.set(chainId, list, {
    kind: 'answer',
    json: { txs, pagination: { next_key: null, total: String(txs.length) } },
  })

/** What a record has of a message of a relayer. */
const ofRelayer = (name: string, packet: Data, events: readonly Event[]) => ({
  txhash: 'AB'.repeat(32),
  code: 0,
  tx: { body: { messages: [{ '@type': `/ibc.core.channel.v1.${name}`, packet }] } },
  events: events.map((each) => marked(each, 'msg_index', 0)),
})

describe('action summaries', () => {
  testOfPlainRecords()('have the symbols and decimals of the asset list', async () => {
    await using world = await startWorld()
    const found = await actions(world, chainIds.MOVE, 'kind summary amounts { formattedAmount }')
    const swap = found.find(({ kind }) => kind === 'SWAP')
    expect(swap.summary).toMatch(/^Swapped [\d.]+ INIT for /)
    const stake = found.find(({ kind }) => kind === 'STAKE')
    const [{ formattedAmount }] = stake.amounts
    expect(stake.summary).toMatch(new RegExp(`^(Delegated|Tried to delegate) ${formattedAmount} INIT`))
  })

  test.each(everyChain)('take one list of assets on $vm', async ({ chainId }) => {
    await using world = await startWorld()
    const document = transactionsOf(chainId, 'actions { title summary amounts { asset { symbol } } }')
    const first = await world.trace(document)
    expect(first.errors).toBeUndefined()
    expect(first.sent.map((line) => line.replace(/\?.*/, ''))).toEqual([
      `${chainId} GET /indexer/tx/v1/txs`,
      'router GET /v2/fungible/assets',
    ])
    const { sent } = await world.trace(document)
    expect(sent.filter((line) => line.startsWith('router'))).toEqual([])
  })

  testOfPlainRecords()('have parts that name what they are made of', async () => {
    await using world = await startWorld()
    const select = `summary actor { address } contract { address } counterparty { address } remoteAddress channel validatorAddress
      otherChain { chainId } nfts { tokenId objectAddress collection { address } }
      amounts { amount denom } receivedAmounts { amount denom } executor { address }
      summaryParts { text kind address account { address } amount { amount denom } chain { chainId }
        nft { tokenId collection { address } } }`
    const found = (await Promise.all(everyChain.map(({ chainId }) => actions(world, chainId, select)))).flat()
    const kinds = new Set<string>()
    for (const action of found) {
      const { summary, summaryParts, nfts } = action
      expect(summaryParts.map(({ text }: Data) => text).join('')).toBe(summary)
      const coins = [...(action.amounts ?? []), ...(action.receivedAmounts ?? [])]
      const validators = summaryParts.filter(({ kind }: Data) => kind === 'VALIDATOR')
      if (validators.length > 0) expect(validators.at(-1).address).toBe(action.validatorAddress)
      const own = [action.actor, action.executor, action.counterparty].map((account) => account?.address)
      for (const { kind, text, address, account, amount, chain, nft } of summaryParts) {
        kinds.add(kind)
        const named: Record<string, () => void> = {
          TEXT: () => expect([address, account, amount, chain, nft]).toEqual([null, null, null, null, null]),
          ACCOUNT: () => expect(own).toContain(account.address),
          CONTRACT: () => expect(account).toEqual(action.contract),
          COLLECTION: () => expect(nfts.map(({ collection }: Data) => collection)).toContainEqual(account),
          // Some chains leave out zeros at the beginning.
          OBJECT: () => expect(nfts.map(({ objectAddress }: Data) => BigInt(objectAddress))).toContain(BigInt(address)),
          // A redelegation names two.
          VALIDATOR: () => expect([address.replace(/1.*/, ''), account]).toEqual(['initvaloper', null]),
          REMOTE_ACCOUNT: () => expect([address, account]).toEqual([action.remoteAddress, null]),
          CHANNEL: () => expect([text, chain]).toEqual([action.channel, action.otherChain]),
          NFT: () => expect(nfts.map(({ tokenId }: Data) => tokenId)).toContain(nft.tokenId),
          AMOUNT: () => expect(coins).toContainEqual(amount),
        }
        named[kind]?.()
      }
    }
    const all = ['TEXT', 'ACCOUNT', 'CONTRACT', 'COLLECTION', 'OBJECT', 'VALIDATOR', 'REMOTE_ACCOUNT', 'CHANNEL', 'NFT']
    expect([...kinds].sort()).toEqual([...all, 'AMOUNT'].sort())
  })

  testOfPlainRecords()('have parts without a router, but for the chains behind channels', async () => {
    await using world = await startWorld({ isBare: true })
    const found = await actions(
      world,
      chainIds.MOVE,
      'summary summaryParts { text kind amount { denom } chain { chainId } }',
    )
    const parts = found.flatMap(({ summaryParts }) => summaryParts)
    const ofKind = (wanted: string) => parts.filter(({ kind }) => kind === wanted)
    expect(ofKind('AMOUNT').map(({ amount }) => amount.denom)).toContain('uinit')
    expect(ofKind('CHANNEL').length).toBeGreaterThan(0)
    expect(ofKind('CHANNEL').every(({ chain }) => chain === null)).toBe(true)
  })

  test('without amounts send no request to the router', async () => {
    await using world = await startWorld()
    const { errors, sent } = await world.trace(
      transactionsOf(chainIds.WASM, 'actions { kind title isSuccessful actor { hexAddress } }'),
    )
    expect(errors).toBeUndefined()
    expect(sent.filter((line) => line.startsWith('router'))).toEqual([])
  })

  testOfPlainRecords()('have base units while the router is down, without errors', async () => {
    await using world = await startWorld()
    world.sandbox.faults.set('router', '/', { kind: 'status', status: 500 })
    const found = await actions(world, chainIds.MOVE, 'kind summary')
    expect(found.find(({ kind }) => kind === 'SWAP').summary).toMatch(
      /^Swapped \d+ base units of uinit for \d+ base units of (token 0x|ibc\/)/,
    )
    expect(found.find(({ kind }) => kind === 'STAKE').summary).toMatch(/ \d+ base units of uinit to initvaloper1/)
  })

  testOfPlainRecords()('name a validator once one of its blocks was read', async () => {
    await using world = await startWorld()
    const select = 'kind summary validatorAddress'
    const stakes = async () => (await actions(world, chainIds.MOVE, select)).filter(({ kind }) => kind === 'STAKE')
    for (const { summary } of await stakes()) expect(summary).toContain(' to initvaloper1')
    const { chain } = await world.data(
      '{ chain { blocks(first: 20) { nodes { proposer { moniker operatorAddress } } } } }',
    )
    const names = new Map(chain.blocks.nodes.map(({ proposer }: Data) => [proposer.operatorAddress, proposer.moniker]))
    world.sandbox.requests.length = 0
    const named = await stakes()
    expect(world.sandbox.requests.filter((line) => line.includes('/block/'))).toEqual([])
    expect(named.length).toBeGreaterThan(2)
    for (const { summary, validatorAddress } of named) {
      const name = String(names.get(validatorAddress))
      expect(summary.split(' to ')[1]).toBe(name.startsWith('north') ? `“${name}”` : name)
    }
  })

  testOfPlainRecords()('work without a router', async () => {
    await using world = await startWorld({ isBare: true })
    const found = await actions(world, chainIds.MOVE, 'kind summary amounts { denom }')
    const stake = found.find(({ kind }) => kind === 'STAKE')
    expect(stake.summary).toMatch(/ \d+ base units of uinit to initvaloper1/)
    expect(stake.amounts).toEqual([{ denom: 'uinit' }])
  })

  testOfPlainRecords()('wait at most a second for a router that hangs', async () => {
    const clock = fakeClock()
    await using sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
    sandbox.faults.set('router', '/v2/fungible/assets', { kind: 'hang' })
    const gateway = await createGateway(
      {
        chains: sandbox.indexers.map(({ chainId, url, vm }) => ({ chainId, url, vm })),
        router: { url: sandbox.routerUrl },
      },
      { clock, server: { drain: 0 } },
    )
    const query = transactionsOf(chainIds.MOVE, 'actions { kind summary }')
    const answer = fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const isAsked = () => sandbox.requests.some((line) => line.includes('/v2/fungible/assets'))
    while (!isAsked()) await new Promise((done) => setImmediate(done))
    await clock.advance(1_000)
    const { data, errors } = (await (await answer).json()) as Data
    await gateway.close()
    expect(errors).toBeUndefined()
    const found = data.chain.transactions.nodes.flatMap((node: Data) => node.actions)
    expect(found.find(({ kind }: Data) => kind === 'STAKE').summary).toMatch(/ \d+ base units of uinit to /)
  })
})

describe('action fields', () => {
  testOfPlainRecords()('name coins by denom, including tokens of a Move pool', async () => {
    await using world = await startWorld()
    const select = 'kind amounts { denom amount } receivedAmounts { denom }'
    const swaps = (await actions(world, chainIds.MOVE, select)).filter(({ kind }) => kind === 'SWAP')
    expect(swaps.length).toBeGreaterThan(0)
    for (const { amounts, receivedAmounts } of swaps) {
      expect(amounts).toEqual([{ denom: 'uinit', amount: expect.stringMatching(/^\d+$/) }])
      // The router does not list what a pool gives: an event of the bank module names it, or nothing does.
      expect(receivedAmounts).toEqual([{ denom: expect.stringMatching(/^(ibc\/[0-9A-F]{64}|0x[0-9a-f]{64})$/) }])
    }
  })

  testOfPlainRecords()('of a Move pool are errors while the router is down, and others are not', async () => {
    await using world = await startWorld()
    world.sandbox.faults.set('router', '/', { kind: 'status', status: 500 })
    const { data, errors = [] } = await world.ask(transactionsOf(chainIds.MOVE, 'actions { kind amounts { denom } }'))
    const found: Data[] = data.chain.transactions.nodes.flatMap((node: Data) => node.actions)
    const unnamed = found.filter(({ amounts }) => amounts === null)
    expect(unnamed).not.toEqual([])
    expect(errors).toHaveLength(unnamed.length)
    for (const { kind } of unnamed) expect(kind).toMatch(/^SWAP$|LIQUIDITY$/)
    expect(new Set(errors.map(({ extensions }) => extensions?.code))).toEqual(new Set(['UPSTREAM_UNAVAILABLE']))
  })

  const both = Object.values(chainIds).flatMap((chainId) => [false, true].map((isBare) => ({ chainId, isBare })))
  testOfPlainRecords().each(both)(
    'use the same denoms as balanceChanges, on $chainId (without a router: $isBare)',
    async ({ chainId, isBare }) => {
      await using world = await startWorld({ isBare, vms: 'probed' })
      const select = `actions { amounts { denom } receivedAmounts { denom } }
        balanceChanges { denom contract { address hexAddress } }`
      const { chain } = await world.data(transactionsOf(chainId, select))
      let named = 0
      for (const { actions: described, balanceChanges } of chain.transactions.nodes) {
        const denomOf = new Map<string, string | null>()
        for (const { denom, contract } of balanceChanges) {
          for (const address of Object.values<string>(contract ?? {})) denomOf.set(address, denom)
        }
        const amounts = described.flatMap((each: Data) => [...each.amounts, ...each.receivedAmounts])
        for (const { denom } of amounts) {
          // A contract stands only for a coin whose denom the changes do not know either, or is a CW-20.
          if (denomOf.has(denom)) expect(denomOf.get(denom)).toBeOneOf([null, denom])
          if (denomOf.size > 0) named += 1
        }
      }
      if (chainId !== chainIds.WASM) expect(named).toBeGreaterThan(10)
    },
  )

  testOfPlainRecords()('have otherChain only if an asset shows the channel', async () => {
    await using world = await startWorld()
    const select = 'kind channel otherChain { chainId }'
    const onHub = await actions(world, chainIds.MOVE, select)
    expect(onHub.filter(({ channel }) => channel)).not.toEqual([])
    for (const { channel, otherChain } of onHub) {
      expect(otherChain?.chainId ?? null).toBe(channel && 'osmosis-1')
    }
    // What the router lists there came over OPinit: it says nothing of channels.
    const onRollup = await actions(world, chainIds.EVM, select)
    expect(onRollup.some(({ channel }) => channel)).toBe(true)
    expect(onRollup.filter(({ otherChain }) => otherChain)).toEqual([])
  })

  testOfPlainRecords()('of an IBC refund have the channel and packet of the transfer', async () => {
    await using world = await startWorld()
    const txs: Data[] = await world.rows(chainIds.MOVE, list, { 'pagination.limit': '100' })
    const packetOf = ({ events }: Data): Data[] =>
      events.find(({ type }: Data) => type === 'send_packet')?.attributes ?? []
    const sent = txs.find((tx) => packetOf(tx).length > 0)
    const attribute = (name: string): string => packetOf(sent ?? {}).find(({ key }: Data) => key === name)?.value
    const { sender, receiver, amount } = JSON.parse(attribute('packet_data'))
    const packet = {
      sequence: attribute('packet_sequence'),
      source_port: 'transfer',
      source_channel: attribute('packet_src_channel'),
      data: Buffer.from(attribute('packet_data')).toString('base64'),
    }
    serve(world, chainIds.MOVE, [
      {
        ...sent,
        ...ofRelayer('MsgTimeout', packet, [event('timeout', { refund_receiver: sender })]),
      },
      sent,
    ])
    const select = `kind channel packetSequence remoteAddress actor { address }
      amounts { denom amount }`
    const [returned, left] = await actions(world, chainIds.MOVE, select)
    const same = {
      channel: 'channel-9',
      packetSequence: attribute('packet_sequence'),
      remoteAddress: receiver,
      actor: { address: sender },
      amounts: [{ denom: 'uinit', amount }],
    }
    expect(returned).toEqual({ kind: 'BRIDGE_REFUND', ...same })
    expect(left).toEqual({ kind: 'BRIDGE_OUT', ...same })
  })

  testOfPlainRecords()('of a forwarded packet have the next chain, and no change in between', async () => {
    await using world = await startWorld()
    const [between, escrow, next] = ['between', 'escrow', 'next'].map(
      (name) => makeAccount('init', 20, name).bech32,
    ) as [string, string, string]
    const forward = { receiver: next, port: 'transfer', channel: 'channel-3' }
    const data = { amount: '50', denom: 'uusdc', sender: escrow, receiver: between }
    const packet = {
      destination_channel: 'channel-9',
      data: Buffer.from(JSON.stringify({ ...data, memo: JSON.stringify({ forward }) })).toString('base64'),
    }
    const events = [
      event('recv_packet', {}),
      event('coin_received', { receiver: between, amount: '50uusdc' }),
      event('coin_spent', { spender: between, amount: '50uusdc' }),
      event('coin_received', { receiver: escrow, amount: '50uusdc' }),
      event('ibc_transfer', { sender: between, receiver: next }),
      event('send_packet', { packet_sequence: '21', packet_src_channel: 'channel-3' }),
    ]
    const [row] = await world.rows(chainIds.WASM, list)
    serve(world, chainIds.WASM, [{ ...row, ...ofRelayer('MsgRecvPacket', packet, events) }])
    const { chain } = await world.data(
      transactionsOf(
        chainIds.WASM,
        `balanceChanges { account { address } amount }
        actions { kind channel packetSequence remoteAddress actor { address } }`,
      ),
    )
    expect(chain.transactions.nodes).toMatchObject([
      {
        balanceChanges: [{ account: { address: escrow }, amount: '50' }],
        actions: [
          {
            kind: 'BRIDGE_FORWARD',
            ...{ channel: 'channel-3', packetSequence: '21' },
            ...{ remoteAddress: next, actor: { address: between } },
          },
        ],
      },
    ])
  })

  testOfPlainRecords()('of an NFT have its collection and token', async () => {
    await using world = await startWorld()
    const select = `kind counterparty { hexAddress }
      nfts { collection { address } rawCollection tokenId objectAddress quantity }`
    for (const chainId of [chainIds.EVM, chainIds.WASM]) {
      const found = await actions(world, chainId, select)
      const sent = found.filter(({ kind }) => kind === 'NFT_TRANSFER')
      expect(sent.length).toBeGreaterThan(0)
      for (const { nfts } of sent) {
        const [{ collection, rawCollection, ...nft }] = nfts
        expect(collection.address).toBe(rawCollection)
        expect(nft).toMatchObject({ objectAddress: null, quantity: '1' })
      }
    }
  })
})

describe('actions of an EVM transaction', () => {
  const own = 'actions { kind summary messageIndex }'

  testOfPlainRecords()('are those of its Cosmos transaction', async () => {
    await using world = await startWorld()
    const { chain } = await world.data(
      `{ chain(chainId: "${chainIds.EVM}") { evmTransactions(first: 40) {
        nodes { ${own} transaction { ${own} } } } } }`,
    )
    const { nodes } = chain.evmTransactions
    expect(nodes).toHaveLength(40)
    for (const node of nodes) expect(node.actions).toEqual(node.transaction.actions)
    expect(new Set(nodes.flatMap((node: Data) => node.actions.map(({ kind }: Data) => kind))).size).toBeGreaterThan(4)
  })

  testOfPlainRecords()('are read from the receipt if no Cosmos transaction is linked', async () => {
    await using world = await startWorld()
    // Without its Cosmos transactions, no block has a carrier.
    world.sandbox.faults.set(chainIds.EVM, '/indexer/tx/v1/txs', {
      kind: 'answer',
      json: { txs: [], pagination: { next_key: null, total: '0' } },
    })
    const { chain } = await world.data(
      `{ chain(chainId: "${chainIds.EVM}") { evmTransactions(first: 20) { nodes { ${own} } } } }`,
    )
    const found = chain.evmTransactions.nodes.map((node: Data) => node.actions)
    for (const list of found) expect(list).toMatchObject([{ messageIndex: null }])
    const summaries = found.map(([action]: Data[]) => action.summary)
    expect(summaries).toContainEqual(expect.stringMatching(/^Called 0x/))
    expect(summaries).toContain('Ran in a Cosmos transaction')
  })
})

testOfPlainRecords()('activity has actions through the interface', async () => {
  await using world = await startWorld()
  const { account } = await world.data(`{ account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
    activity(first: 10) { nodes { __typename actions { title summary rawKind } } } } }`)
  expect(account.activity.nodes).toHaveLength(10)
  for (const { actions: list } of account.activity.nodes) {
    expect(list[0].summary).toMatch(/^[A-Z]\w+ .{3,}/)
    expect(list[0].rawKind).toMatch(/^\/\w+(\.\w+)+$/)
  }
})
