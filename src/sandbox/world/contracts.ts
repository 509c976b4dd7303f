import { longNumber } from '../longNumber.ts'
import { itemAt } from '../random.ts'
import { amountOf, type Effects, effectsOf, partiesOf } from './effects.ts'
import { type Event, event, type MessageDraft } from './events.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'
import type { Shape } from './shape.ts'

/** The message that calls or creates a contract, as the virtual machine of the chain has it. */
export function contractMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  switch (fixtures.chain.vm) {
    case 'evm':
      return evmMessage(fixtures, shape, sequence)
    case 'move':
      return moveMessage(fixtures, shape, sequence)
    case 'wasm':
      return wasmMessage(fixtures, shape, sequence)
  }
}

/** One native event with an attribute for each EVM log: the log as JSON text. None without logs. */
export function evmLogEvents({ logs }: Effects): readonly Event[] {
  if (logs.length === 0) return []
  const attributes = logs.map((log) => ({ key: 'log', index: true, value: JSON.stringify(log) }))
  return [{ type: 'evm', attributes }]
}

function evmMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const [sender] = partiesOf(fixtures, shape)
  const effects = effectsOf(fixtures, shape, sequence)
  const value = String(effects.value)
  const common = { sender: sender.bech32, value, access_list: [], auth_list: [] }
  const events = evmLogEvents(effects)
  return effects.to === ''
    ? {
        type: '/minievm.evm.v1.MsgCreate',
        fields: { ...common, code: effects.input },
        events: [
          event('create', { contract: effects.contractAddress ?? '', ret: '0x' }),
          ...events,
        ],
      }
    : {
        type: '/minievm.evm.v1.MsgCall',
        fields: { ...common, contract_addr: effects.to, input: effects.input },
        events: [event('call', { contract: effects.to, ret: '0x' }), ...events],
      }
}

function moveMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const [sender, peer] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape, sequence))
  const call = (
    module: string,
    name: string,
    args: readonly string[],
    events: readonly Event[],
  ) => ({
    type: '/initia.move.v1.MsgExecute',
    fields: {
      sender: sender.bech32,
      module_address: '0x1',
      module_name: module,
      function_name: name,
      type_args: [],
      args: args.map((text) => Buffer.from(text).toString('base64')),
    },
    events: [
      event('execute', {
        sender: sender.bech32,
        module_addr: '0x1',
        module_name: module,
        function_name: name,
      }),
      ...events,
    ],
  })
  const emitted = (typeTag: string, data: Readonly<Record<string, string>>) =>
    event('move', { type_tag: typeTag, data: JSON.stringify(data) })

  if (shape.kind === 'createCollection') {
    const { address, name, tokens } = itemAt(fixtures.collections, shape.collection)
    return call(
      'initia_nft',
      'create_collection',
      [name],
      [
        emitted('0x1::collection::CreateCollectionEvent', {
          collection: address.hex,
          creator: sender.hex,
          name,
        }),
        ...tokens.map(({ tokenId, objectAddress, firstOwner }) =>
          emitted('0x1::collection::MintEvent', {
            collection: address.hex,
            token_id: tokenId,
            nft: objectAddress,
            owner: itemAt(fixtures.users, firstOwner).hex,
          }),
        ),
      ],
    )
  }
  if (shape.kind === 'transferNft') {
    const object = itemAt(itemAt(fixtures.collections, shape.collection).tokens, shape.token)
    return call(
      'object',
      'transfer_call',
      [object.objectAddress, peer.hex],
      [
        emitted('0x1::object::TransferEvent', {
          object: object.objectAddress,
          from: sender.hex,
          to: peer.hex,
        }),
      ],
    )
  }
  return call(
    'dex',
    'swap_script',
    [fixtures.dex.hex, amount],
    [
      emitted('0x1::dex::SwapEvent', {
        account: sender.hex,
        liquidity_token: fixtures.dex.hex,
        offer_amount: amount,
        return_amount: String((BigInt(amount) * 97n) / 100n),
      }),
    ],
  )
}

function wasmMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const [sender, peer] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape, sequence))
  const execute = (
    contract: string,
    msg: unknown,
    attributes: Readonly<Record<string, string>>,
  ) => ({
    type: '/cosmwasm.wasm.v1.MsgExecuteContract',
    fields: { sender: sender.bech32, contract, msg, funds: [] },
    events: [
      event('execute', { _contract_address: contract }),
      event('wasm', { _contract_address: contract, ...attributes }),
    ],
  })

  if (shape.kind === 'createCollection') {
    const { address, name, tokens } = itemAt(fixtures.collections, shape.collection)
    const contract = { _contract_address: address.bech32 }
    return {
      type: '/cosmwasm.wasm.v1.MsgInstantiateContract',
      fields: {
        sender: sender.bech32,
        admin: '',
        code_id: '7',
        label: name,
        msg: { name, symbol: `C${shape.collection}`, minter: sender.bech32 },
        funds: [],
      },
      events: [
        event('instantiate', { ...contract, code_id: '7' }),
        ...tokens.map(({ tokenId, firstOwner }) =>
          event('wasm', {
            ...contract,
            action: 'mint',
            minter: sender.bech32,
            owner: itemAt(fixtures.users, firstOwner).bech32,
            token_id: tokenId,
          }),
        ),
      ],
    }
  }
  if (shape.kind === 'transferNft') {
    const { address, tokens } = itemAt(fixtures.collections, shape.collection)
    const transfer = { recipient: peer.bech32, token_id: itemAt(tokens, shape.token).tokenId }
    return execute(
      address.bech32,
      { transfer_nft: transfer },
      { action: 'transfer_nft', sender: sender.bech32, ...transfer },
    )
  }
  if (shape.kind === 'burnNft' || shape.kind === 'mintNft') {
    const { address, tokens } = itemAt(fixtures.collections, shape.collection)
    const { tokenId: token_id, uri: token_uri } = itemAt(tokens, shape.token)
    const minted = { token_id, owner: peer.bech32 }
    return shape.kind === 'burnNft'
      ? execute(
          address.bech32,
          { burn: { token_id } },
          { action: 'burn', sender: sender.bech32, token_id },
        )
      : execute(
          address.bech32,
          { mint: { ...minted, token_uri } },
          { action: 'mint', minter: sender.bech32, ...minted },
        )
  }
  if (shape.variant === 0) {
    const to = { to: peer.bech32, amount }
    return execute(
      fixtures.token.bech32,
      { transfer: { recipient: to.to, amount } },
      { action: 'transfer', from: sender.bech32, ...to },
    )
  }
  // Contracts write 64-bit integers as numbers, which most JSON readers round.
  const orderId = longNumber(2n ** 64n - BigInt(sequence))
  const minimum = String(wholeTokens(fixtures.chain, 1) / 1000n)
  return execute(
    fixtures.dex.bech32,
    { swap: { offer: amount, minimum_receive: minimum, to: peer.bech32, order_id: orderId } },
    { action: 'swap', sender: sender.bech32, receiver: peer.bech32, offer_amount: amount },
  )
}
