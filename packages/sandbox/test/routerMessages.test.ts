import { expect, test } from 'vitest'
import { addressOn, denom, dig, list, messagesFor, start } from './support/sandboxRouter.ts'

test('only unchanged operations of a quote have messages', async () => {
  const { route, post, pass } = start()
  const noble = ['noble-1', 'uusdc'] as const
  const quoted = await route(noble, ['1', denom('1', 'USDC')], { amount_in: '250000000' })
  const body = messagesFor(quoted)
  const made = await post('/v2/fungible/msgs', body)
  expect(made).toMatchObject({
    status: 200,
    json: {
      min_amount_out: '248600750',
      txs: [
        {
          cosmos_tx: {
            chain_id: 'noble-1',
            signer_address: addressOn('noble-1'),
            msgs: [{ msg_type_url: '/circle.cctp.v1.MsgDepositForBurn' }],
          },
          operations_indices: [0],
        },
      ],
      msgs: [{ multi_chain_msg: { chain_id: 'noble-1', path: ['noble-1', '1'] } }],
    },
  })
  expect(JSON.parse(`${dig(made.json, 'txs', 0, 'cosmos_tx', 'msgs', 0, 'msg')}`)).toMatchObject({
    amount: '250000000',
  })

  const text = JSON.stringify(body)
  const altered: unknown[] = [
    { ...body, amount_in: '250000001' },
    { ...body, operations: [] },
    JSON.parse(text.replace(/"quote_seal":"[^"]*"/, '"quote_seal":""')),
    JSON.parse(text.replace(/"destination_domain":0,/, '')),
    { ...body, address_list: [addressOn('noble-1')] },
    { ...body, address_list: [addressOn('harbor-1'), addressOn('1')] },
    { ...body, address_list: [`${addressOn('noble-1').slice(0, -1)}q`, addressOn('1')] },
  ]
  for (const bad of altered) {
    const refused = await post('/v2/fungible/msgs', bad)
    expect(refused).toMatchObject({ status: 400, json: { code: 3 } })
  }
  const slippage = { ...body, slippage_tolerance_percent: 'much' }
  expect((await post('/v2/fungible/msgs', slippage)).json).toMatchObject({ statusCode: 400 })
  pass(300_001)
  expect((await post('/v2/fungible/msgs', body)).json).toMatchObject({
    message: 'smart relay fee quote has expired',
  })
})

test('each transaction of a route has the form that its chain signs', async () => {
  const { route, post } = start()
  const typeUrls = async (from: [string, string], to: [string, string], more: object) => {
    const quoted = await route(from, to, { amount_in: '100000000', ...more })
    const made = await post('/v2/fungible/msgs', messagesFor(quoted))
    return list(dig(made.json, 'txs')).map((tx) =>
      dig(tx, 'evm_tx') === undefined
        ? list(dig(tx, 'cosmos_tx', 'msgs')).map((msg) => dig(msg, 'msg_type_url'))
        : 'evm',
    )
  }
  const ether: [string, string] = ['1', 'ethereum-native']
  const l2: [string, string] = ['galley-1', denom('galley-1', 'INIT', 'l2/')]
  const erc20: [string, string] = ['galley-1', denom('galley-1', 'INIT', 'evm/')]
  const hub: [string, string] = ['harbor-1', 'uinit']
  const big = { amount_in: '3000000000000000000' }
  expect(await typeUrls(hub, l2, {})).toEqual([['/opinit.ophost.v1.MsgInitiateTokenDeposit']])
  expect(await typeUrls(l2, hub, { is_op_withdraw: true })).toEqual([['/opinit.opchild.v1.MsgInitiateTokenWithdrawal']])
  expect(await typeUrls(erc20, ['1', denom('1', 'INIT')], big)).toEqual([['/minievm.evm.v1.MsgCall']])
  expect(await typeUrls(hub, ['1', denom('1', 'INIT')], {})).toEqual([['/initia.move.v1.MsgExecute']])
  expect(await typeUrls(['lantern-1', denom('lantern-1', 'ETH')], ether, big)).toEqual([
    ['/cosmwasm.wasm.v1.MsgExecuteContract'],
  ])
  expect(await typeUrls(ether, ['lantern-1', 'ulant'], { ...big, allow_multi_tx: true })).toEqual([
    'evm',
    ['/initia.move.v1.MsgExecute', '/ibc.applications.transfer.v1.MsgTransfer'],
  ])
  expect(await typeUrls(hub, hub, {})).toEqual([['/cosmos.bank.v1beta1.MsgSend']])
})

test('a deposit into the ERC-20 form needs the signed hook', async () => {
  const { route, post } = start()
  const to = ['galley-1', denom('galley-1', 'INIT', 'evm/')] as const
  const quoted = await route(['harbor-1', 'uinit'], to, { amount_in: '2500000' })
  const body = messagesFor(quoted)
  expect((await post('/v2/fungible/msgs', body)).json).toMatchObject({
    message: 'signed_op_hook is required',
  })
  const ends = { source_address: addressOn('harbor-1'), dest_address: addressOn('galley-1') }
  expect((await post('/op-hook', { ...body, ...ends })).json).toMatchObject({
    chain_id: 'galley-1',
    hook: [{ msg_type_url: '/minievm.evm.v1.MsgCall', msg: expect.stringContaining('0x') }],
  })
  const signed = { ...body, signed_op_hook: { signer: ends.dest_address, hook: 'AAEC' } }
  const made = await post('/v2/fungible/msgs', signed)
  const deposit = dig(made.json, 'txs', 0, 'cosmos_tx', 'msgs', 0, 'msg')
  expect(JSON.parse(`${deposit}`)).toMatchObject({ bridge_id: '1', data: 'AAEC' })
  const plain = { ...body, ...ends, dest_asset_denom: denom('galley-1', 'INIT', 'l2/') }
  expect(await post('/op-hook', plain)).toMatchObject({ status: 400, json: { code: 3 } })
})
