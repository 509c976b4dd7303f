import { bytesOfBase64, jsonOfBytes } from '../bytes.ts'
import { type Fields, fieldsOf, fieldText, itemsOf } from '../fields.ts'
import { bytesIn, textIn, type WireFields, wireFields } from '../protobuf.ts'

/** The fields of a message by their numbers: a text, or the layout of a message. A list has brackets. */
type Layout = Readonly<Record<number, readonly [name: string, of?: 'list' | 'coin' | 'coins']>>

const delegation: Layout = {
  1: ['delegator_address'],
  2: ['validator_address'],
  3: ['amount', 'coins'],
}
const redelegation: Layout = {
  1: ['delegator_address'],
  2: ['validator_src_address'],
  3: ['validator_dst_address'],
  4: ['amount', 'coins'],
}
const vote: Layout = { 1: ['proposal_id'], 2: ['voter'], 3: ['option'] }

/** The messages that owners of interchain accounts have executed most, by the numbers in their .proto files. */
const layouts: Readonly<Record<string, Layout>> = {
  'cosmos.bank.v1beta1.MsgSend': {
    1: ['from_address'],
    2: ['to_address'],
    3: ['amount', 'coins'],
  },
  'cosmos.staking.v1beta1.MsgDelegate': delegation,
  'cosmos.staking.v1beta1.MsgUndelegate': delegation,
  'cosmos.staking.v1beta1.MsgBeginRedelegate': redelegation,
  'initia.mstaking.v1.MsgDelegate': delegation,
  'initia.mstaking.v1.MsgUndelegate': delegation,
  'initia.mstaking.v1.MsgBeginRedelegate': redelegation,
  'cosmos.distribution.v1beta1.MsgWithdrawDelegatorReward': {
    1: ['delegator_address'],
    2: ['validator_address'],
  },
  'cosmos.distribution.v1beta1.MsgSetWithdrawAddress': {
    1: ['delegator_address'],
    2: ['withdraw_address'],
  },
  'cosmos.gov.v1.MsgVote': vote,
  'cosmos.gov.v1beta1.MsgVote': vote,
  'ibc.applications.transfer.v1.MsgTransfer': {
    1: ['source_port'],
    2: ['source_channel'],
    3: ['token', 'coin'],
    4: ['sender'],
    5: ['receiver'],
    8: ['memo'],
  },
  'cosmwasm.wasm.v1.MsgExecuteContract': {
    1: ['sender'],
    2: ['contract'],
    3: ['msg'],
    5: ['funds', 'coins'],
  },
  'initia.move.v1.MsgExecute': {
    1: ['sender'],
    2: ['module_address'],
    3: ['module_name'],
    4: ['function_name'],
    5: ['type_args', 'list'],
  },
  'minievm.evm.v1.MsgCall': { 1: ['sender'], 2: ['contract_addr'], 3: ['input'] },
}

/**
 * The messages in the data of a packet for an interchain account: a `CosmosTx` in base64, in protobuf or as JSON
 * (`27-interchain-accounts/types/codec.go` of ibc-go). Each has its type URL in `@type`. One that has no layout here has
 * nothing else. None if the data has another form.
 */
export function messagesOfAccount(data: Fields): readonly Fields[] {
  const bytes = bytesOfBase64(fieldText(data, 'data'))
  const inJson = itemsOf(jsonOfBytes(bytes).messages).map(fieldsOf)
  return inJson.length > 0 ? inJson : bytesIn(wireFields(bytes), 1).map(messageOf)
}

function messageOf(any: Uint8Array): Fields {
  const wrapper = wireFields(any)
  const type = textIn(wrapper, 1)
  const layout = layouts[type.replace(/^\//, '')]
  const [value] = bytesIn(wrapper, 2)
  if (!layout || !value) return { '@type': type }
  const fields = wireFields(value)
  return Object.fromEntries([
    ['@type', type],
    ...Object.entries(layout).map(([number, [name, of]]) => [name, read(fields, Number(number), of)]),
  ])
}

function read(fields: WireFields | null, number: number, of: 'list' | 'coin' | 'coins' | undefined) {
  if (of === undefined) return textIn(fields, number)
  const items = bytesIn(fields, number)
  if (of === 'list') return items.map((item) => new TextDecoder().decode(item))
  const coins = items.map((item) => {
    const coin = wireFields(item)
    return { denom: textIn(coin, 1), amount: textIn(coin, 2) }
  })
  return of === 'coin' ? coins[0] : coins
}
