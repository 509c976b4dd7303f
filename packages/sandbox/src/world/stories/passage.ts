import { type Account, makeAccount, parseAddress } from '../../address.ts'
import { ibcDenom } from '../../router/assets.ts'
import { type CoinMove, moduleAccount } from '../coins.ts'
import type { Fixtures } from '../fixtures.ts'
import type { Packet } from '../ibc.ts'

/** A packet of coins between two chains of the sandbox. */
export interface Passage {
  readonly from: Fixtures
  readonly to: Fixtures
  readonly packet: Packet
}

/** The standard data of a packet of coins. */
export interface TransferData {
  /** The path of the coin on the chain that sends it, such as `transfer/channel-0/uinit`. */
  readonly denom: string
  readonly amount: string
  readonly sender: string
  readonly receiver: string
  readonly memo?: string
}

/** The coins that a packet carries, and for whom. */
export const transferOf = ({ packet }: Passage): TransferData =>
  JSON.parse(Buffer.from(packet.data, 'base64').toString('utf8'))

/** Who relays packets between the chains of the sandbox. */
export const courierOf = ({ chain, seed }: Fixtures): Account => makeAccount(chain.bech32Prefix, 20, seed, 'courier')

/** Whether the packets of a chain are those of ibc-go 10 or later, whose events have no data in text. */
export const isRecent = ({ chain }: Pick<Fixtures, 'chain'>): boolean => chain.vm === 'evm'

/** The denom of a path on its chain. */
export const denomOfPath = (path: string): string => (path.startsWith('transfer/') ? ibcDenom(path) : path)

/** Whether a packet brings a coin back to the chain that it came from. */
const isReturning = ({ packet }: Passage, { denom }: TransferData): boolean =>
  denom.startsWith(`${packet.source_port}/${packet.source_channel}/`)

/** The path of the coins of a packet where it arrives. */
export function arrivedPath(passage: Passage): string {
  const { packet } = passage
  const data = transferOf(passage)
  return isReturning(passage, data)
    ? data.denom.slice(`${packet.source_port}/${packet.source_channel}/`.length)
    : `${packet.destination_port}/${packet.destination_channel}/${data.denom}`
}

/** An account of a chain by its bech32 address. */
export function accountOf({ chain }: Fixtures, bech32: string): Account {
  const hex = parseAddress(bech32, chain.bech32Prefix)
  if (hex === undefined) throw new RangeError(`${bech32} is no address of ${chain.chainId}`)
  return { hex, bech32 }
}

/** What the sending chain moves when a packet leaves: to escrow, or burnt if it goes back to where it came from. */
export function departureMoves(passage: Passage): readonly CoinMove[] {
  const { from } = passage
  const data = transferOf(passage)
  const sender = accountOf(from, data.sender)
  const coins = [{ denom: denomOfPath(data.denom), amount: BigInt(data.amount) }]
  const minter = moduleAccount(from, 'transfer')
  return isReturning(passage, data)
    ? [
        { from: sender, to: minter, coins },
        { from: minter, coins },
      ]
    : [{ from: sender, to: moduleAccount(from, 'escrow'), coins }]
}

/** What the receiving chain moves when a packet arrives. */
export function arrivalMoves(passage: Passage): readonly CoinMove[] {
  const { to } = passage
  const data = transferOf(passage)
  const receiver = accountOf(to, data.receiver)
  const coins = [{ denom: denomOfPath(arrivedPath(passage)), amount: BigInt(data.amount) }]
  const minter = moduleAccount(to, 'transfer')
  return isReturning(passage, data)
    ? [{ from: moduleAccount(to, 'escrow'), to: receiver, coins }]
    : [
        { to: minter, coins },
        { from: minter, to: receiver, coins },
      ]
}

/** What the sending chain moves when it gives the coins back to the sender. */
export function refundMoves(passage: Passage): readonly CoinMove[] {
  const { from } = passage
  const data = transferOf(passage)
  const sender = accountOf(from, data.sender)
  const coins = [{ denom: denomOfPath(data.denom), amount: BigInt(data.amount) }]
  const minter = moduleAccount(from, 'transfer')
  return isReturning(passage, data)
    ? [
        { to: minter, coins },
        { from: minter, to: sender, coins },
      ]
    : [{ from: moduleAccount(from, 'escrow'), to: sender, coins }]
}

/** What a chain moves when coins cannot go on that it had made for a packet: they are burnt in escrow. */
export function withdrawnMoves(passage: Passage): readonly CoinMove[] {
  const { from } = passage
  const { denom, amount } = transferOf(passage)
  const coins = [{ denom: denomOfPath(denom), amount: BigInt(amount) }]
  const minter = moduleAccount(from, 'transfer')
  return [
    { from: moduleAccount(from, 'escrow'), to: minter, coins },
    { from: minter, coins },
  ]
}
