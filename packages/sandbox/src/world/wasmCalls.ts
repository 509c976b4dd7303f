import { longNumber } from '../longNumber.ts'
import { itemAt } from '../random.ts'
import { event, type MessageDraft } from './events.ts'
import { type Fixtures, wholeTokens } from './fixtures.ts'
import { amountOf, partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

/** The message that calls or creates a Wasm contract. */
export function wasmMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const [sender] = partiesOf(fixtures, shape)
  if (shape.kind === 'createCollection') return createCollection(fixtures, shape)
  const { contract, msg, attributes } =
    shape.kind === 'execute'
      ? shape.variant === 0
        ? tokenCall(fixtures, shape)
        : swapCall(fixtures, shape, sequence)
      : nftCall(fixtures, shape)
  return {
    type: '/cosmwasm.wasm.v1.MsgExecuteContract',
    fields: { sender: sender.bech32, contract, msg, funds: [] },
    events: [
      event('execute', { _contract_address: contract }),
      event('wasm', { _contract_address: contract, ...attributes }),
    ],
  }
}

/** A call of a contract, and the attributes of the event with which it answers. */
interface Call {
  readonly contract: string
  readonly msg: unknown
  readonly attributes: Readonly<Record<string, string>>
}

function createCollection(fixtures: Fixtures, shape: Shape): MessageDraft {
  const [sender] = partiesOf(fixtures, shape)
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

function nftCall(fixtures: Fixtures, shape: Shape): Call {
  const [{ bech32: sender }, { bech32: peer }] = partiesOf(fixtures, shape)
  const { address, tokens } = itemAt(fixtures.collections, shape.collection)
  const { tokenId: token_id, uri: token_uri } = itemAt(tokens, shape.token)
  const contract = address.bech32
  if (shape.kind === 'burnNft') {
    const attributes = { action: 'burn', sender, token_id }
    return { contract, msg: { burn: { token_id } }, attributes }
  }
  if (shape.kind === 'mintNft') {
    const minted = { token_id, owner: peer }
    const attributes = { action: 'mint', minter: sender, ...minted }
    return { contract, msg: { mint: { ...minted, token_uri } }, attributes }
  }
  const action = shape.calls === 2 ? 'send_nft' : 'transfer_nft'
  const attributes = { action, sender, recipient: peer, token_id }
  const msg =
    action === 'send_nft'
      ? { send_nft: { contract: peer, token_id, msg: 'e30=' } }
      : { transfer_nft: { recipient: peer, token_id } }
  return { contract, msg, attributes }
}

/** A call of a CW-20 token. */
function tokenCall(fixtures: Fixtures, shape: Shape): Call {
  const [{ bech32: sender }, { bech32: peer }] = partiesOf(fixtures, shape)
  const contract = fixtures.token.bech32
  const amount = String(amountOf(fixtures, shape))
  // From the signer to the peer, unless the peer has allowed the signer to spend.
  const paid = { from: sender, to: peer, amount }
  const drawn = { from: peer, to: sender, by: sender, amount }
  const calls: readonly Omit<Call, 'contract'>[] = [
    {
      msg: { transfer: { recipient: peer, amount } },
      attributes: { action: 'transfer', ...paid },
    },
    {
      msg: { send: { contract: peer, amount, msg: 'e30=' } },
      attributes: { action: 'send', ...paid },
    },
    {
      msg: { transfer_from: { owner: peer, recipient: sender, amount } },
      attributes: { action: 'transfer_from', ...drawn },
    },
    {
      msg: { send_from: { owner: peer, contract: sender, amount, msg: 'e30=' } },
      attributes: { action: 'send_from', ...drawn },
    },
    {
      msg: { mint: { recipient: peer, amount } },
      attributes: { action: 'mint', to: peer, amount },
    },
    { msg: { burn: { amount } }, attributes: { action: 'burn', from: sender, amount } },
    {
      msg: { increase_allowance: { spender: peer, amount } },
      attributes: { action: 'increase_allowance', owner: sender, spender: peer, amount },
    },
  ]
  return { contract, ...itemAt(calls, shape.calls + shape.token - 1) }
}

function swapCall(fixtures: Fixtures, shape: Shape, sequence: number): Call {
  const [{ bech32: sender }, { bech32: peer }] = partiesOf(fixtures, shape)
  const amount = String(amountOf(fixtures, shape))
  // Contracts write 64-bit integers as numbers, which most JSON readers round.
  const orderId = longNumber(2n ** 64n - BigInt(sequence))
  const minimum = String(wholeTokens(fixtures.chain, 1) / 1000n)
  return {
    contract: fixtures.dex.bech32,
    msg: { swap: { offer: amount, minimum_receive: minimum, to: peer, order_id: orderId } },
    attributes: { action: 'swap', sender, receiver: peer, offer_amount: amount },
  }
}
