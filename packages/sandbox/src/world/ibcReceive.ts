import { type Account, makeAccount } from '../address.ts'
import { hexDigest } from '../random.ts'
import { type Event, event, type MessageDraft } from './events.ts'
import { bridgedAmount, type Fixtures } from './fixtures.ts'
import { type Packet, packetEvent, packetOf, renamedEvent } from './ibc.ts'
import { amountOf, partiesOf } from './parties.ts'
import type { Shape } from './shape.ts'

/** What happens to a packet that a relayer delivers. */
type ReceiveForm = 'coins' | 'refused' | 'hook' | 'clients' | 'account' | 'repeat'

/** The form of a transaction of a relayer. Two in three are plain coins. */
export function receiveFormOf({ variant, calls, token }: Shape): ReceiveForm {
  if (variant !== 2) return 'coins'
  if (calls === 1) return 'refused'
  if (calls === 2) return 'hook'
  return calls === 3 ? 'clients' : token % 2 ? 'account' : 'repeat'
}

/** An account of this chain that somebody on the other chain owns, by the standard ICS-27. */
export const interchainAccount = ({ chain }: Fixtures): Account =>
  makeAccount(chain.bech32Prefix, chain.vm === 'evm' ? 20 : 32, 'interchain account', chain.chainId)

/** The messages with which a relayer delivers a packet: an update of the light client, then the packet. */
export function ibcReceive(fixtures: Fixtures, shape: Shape, sequence: number): readonly MessageDraft[] {
  const [relayer] = partiesOf(fixtures, shape)
  const proofHeight = { revision_number: '1', revision_height: String(1_000_000 + sequence) }
  const proof = {
    proof_commitment: Buffer.from(hexDigest(32, 'proof', sequence), 'hex').toString('base64'),
    proof_height: proofHeight,
    signer: relayer.bech32,
  }
  const { type, packet, events } = delivery(fixtures, shape, sequence)
  return [
    {
      type: '/ibc.core.client.v1.MsgUpdateClient',
      fields: {
        client_id: '07-tendermint-0',
        client_message: {
          '@type': '/ibc.lightclients.tendermint.v1.Header',
          trusted_height: proofHeight,
        },
        signer: relayer.bech32,
      },
      events: [
        event('update_client', {
          client_id: '07-tendermint-0',
          client_type: '07-tendermint',
          consensus_height: `1-${proofHeight.revision_height}`,
        }),
      ],
    },
    { type, fields: { packet, ...proof }, events },
  ]
}

interface Delivery {
  readonly type: string
  readonly packet: unknown
  readonly events: readonly Event[]
}

function delivery(fixtures: Fixtures, shape: Shape, sequence: number): Delivery {
  const { chain, bridgedDenomAbroad: denom } = fixtures
  const [, peer] = partiesOf(fixtures, shape)
  const form = receiveFormOf(shape)
  const amount = String(bridgedAmount(fixtures, amountOf(fixtures, shape)))
  const sender = makeAccount(chain.isHub ? 'osmo' : chain.bech32Prefix, 20, peer.hex).bech32
  const transfer = { amount, denom, receiver: peer.bech32, sender }
  if (form === 'clients') return betweenClients(shape, sequence, transfer)
  const type = '/ibc.core.channel.v1.MsgRecvPacket'
  if (form === 'account') return { type, ...orderOfOwner(fixtures, shape, sequence, sender) }
  const data = form === 'hook' ? { ...transfer, memo: hookMemo(fixtures) } : transfer
  const packet = packetOf(fixtures, sequence, JSON.stringify(data), 'in')
  const told = (success: string) =>
    event('fungible_token_packet', {
      module: 'transfer',
      sender,
      receiver: peer.bech32,
      denom,
      amount,
      memo: form === 'hook' ? hookMemo(fixtures) : '',
      success,
    })
  const received = packetEvent('recv_packet', packet)
  switch (form) {
    case 'repeat':
      // Another relayer was faster. ibc-go says so only in this event, and changes nothing.
      return { type, packet, events: [received] }
    case 'refused':
      return {
        type,
        packet,
        events: [received, renamedEvent(told('false')), acknowledged(packet, refusal)],
      }
    default: {
      const called = form === 'hook' ? [hookCall(fixtures)] : []
      // Chains with ibc-go before its version 10 write the acknowledgement in text too.
      const inText: Readonly<Record<string, string>> = shape.variant === 0 ? { packet_ack: success } : {}
      return {
        type,
        packet,
        events: [received, told('true'), ...called, acknowledged(packet, success, inText)],
      }
    }
  }
}

const success = '{"result":"AQ=="}'
const refusal = '{"error":"ABCI code: 5: error handling packet: see events for details"}'

const acknowledged = (packet: Packet, text: string, extra: Readonly<Record<string, string>> = {}) =>
  packetEvent('write_acknowledgement', packet, {
    packet_ack_hex: Buffer.from(text).toString('hex'),
    ...extra,
  })

/** The call that a transfer asks for in its memo, in the form of each virtual machine. */
export function hookMemo({ chain, dex }: Fixtures): string {
  switch (chain.vm) {
    case 'move':
      return JSON.stringify({
        move: { message: { module_address: dex.hex, module_name: 'pool', function_name: 'touch' } },
      })
    case 'evm':
      return JSON.stringify({ evm: { message: { contract_addr: dex.hex, input: '0x4e71d92d' } } })
    case 'wasm':
      return JSON.stringify({ wasm: { message: { contract: dex.bech32, msg: { touch: {} } } } })
  }
}

/** The event of that call. */
export function hookCall({ chain, dex: { hex, bech32 } }: Fixtures): Event {
  switch (chain.vm) {
    case 'move':
      return event('execute', {
        sender: hex,
        module_addr: hex,
        module_name: 'pool',
        function_name: 'touch',
      })
    case 'evm':
      return event('call', { contract: hex, ret: '0x' })
    case 'wasm':
      return event('execute', { _contract_address: bech32 })
  }
}

/** A packet of IBC v2, which goes between light clients without a channel. */
function betweenClients(shape: Shape, sequence: number, transfer: Readonly<Record<string, string>>): Delivery {
  const ends = { source_client: '08-wasm-0', destination_client: '07-tendermint-1' }
  const port = { source_port: 'transfer', destination_port: 'transfer', version: 'ics20-1' }
  const names = {
    packet_source_client: ends.source_client,
    packet_dest_client: ends.destination_client,
    packet_sequence: String(sequence),
  }
  const value = Buffer.from(JSON.stringify({ ...transfer, memo: '' })).toString('base64')
  return {
    type: '/ibc.core.channel.v2.MsgRecvPacket',
    packet: {
      sequence: String(sequence),
      ...ends,
      timeout_timestamp: String(1_790_000_000 + shape.source),
      payloads: [{ ...port, encoding: 'application/json', value }],
    },
    events: [
      event('recv_packet', names),
      event('fungible_token_packet', {
        module: 'transfer',
        ...transfer,
        memo: '',
        success: 'true',
      }),
      // A list of one acknowledgement, in protobuf.
      event('write_acknowledgement', {
        ...names,
        encoded_acknowledgement_hex: `0a${success.length.toString(16)}${Buffer.from(success).toString('hex')}`,
      }),
    ],
  }
}

/** A packet with which the owner of an interchain account has it send coins to the peer. */
function orderOfOwner(fixtures: Fixtures, shape: Shape, sequence: number, owner: string): Omit<Delivery, 'type'> {
  const [, peer] = partiesOf(fixtures, shape)
  const send = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: interchainAccount(fixtures).bech32,
    to_address: peer.bech32,
    amount: [{ denom: fixtures.chain.denom, amount: String(amountOf(fixtures, shape)) }],
  }
  const messages = Buffer.from(JSON.stringify({ messages: [send] })).toString('base64')
  const data = JSON.stringify({ type: 'TYPE_EXECUTE_TX', data: messages, memo: '' })
  const packet = {
    ...packetOf(fixtures, sequence, data, 'in'),
    source_port: `icacontroller-${owner}`,
    destination_port: 'icahost',
  }
  return {
    packet,
    events: [
      packetEvent('recv_packet', packet),
      event('ics27_packet', {
        module: 'interchainaccounts',
        host_channel_id: packet.destination_channel,
        success: 'true',
      }),
      acknowledged(packet, success),
    ],
  }
}
