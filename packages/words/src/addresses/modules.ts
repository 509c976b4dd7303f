import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** An account that belongs to a module of a chain: nobody has a key of it. */
export type ModuleAccount =
  | { readonly kind: 'MODULE'; readonly name: string }
  /** Holds what left by a channel, or by a client of IBC v2. */
  | { readonly kind: 'ESCROW'; readonly port: string; readonly channel: string }
  /** Holds what a rollup has of its host by OPinit. */
  | { readonly kind: 'BRIDGE'; readonly bridgeId: number }

/** Modules of the Cosmos SDK, IBC, Initia and OPinit with an account. */
const moduleNames = [
  ...['fee_collector', 'gov', 'distribution', 'mint', 'bonded_tokens_pool', 'not_bonded_tokens_pool'],
  ...['protocolpool', 'transfer', 'nft-transfer', 'interchainaccounts'],
  ...['reward', 'opchild', 'ophost', 'move', 'evm', 'wasm', 'auction'],
]

/** The versions of the ports that hold things in escrow. */
const versions = { transfer: 'ics20-1', 'nft-transfer': 'ics721-1' } as const

/** Ids of channels and bridges below it are known. Each takes a hash, all of them some milliseconds once. */
const maxId = 256

/** Clients of IBC v2 are fewer. */
const maxClient = 32

const addressOf = (...parts: readonly Uint8Array[]): string => bytesToHex(sha256(concatBytes(...parts)).slice(0, 20))

const zero = Uint8Array.of(0)

/** By ADR 28 of the Cosmos SDK: the start of the hash of the version and the place. */
const escrowOf = (port: keyof typeof versions, channel: string): string =>
  addressOf(utf8ToBytes(versions[port]), zero, utf8ToBytes(`${port}/${channel}`))

/** By ADR 28, as `address.Module` of the Cosmos SDK does with a key: all 32 bytes, of the id in eight bytes. */
function bridgeOf(bridgeId: number): string {
  const id = new Uint8Array(8)
  new DataView(id.buffer).setBigUint64(0, BigInt(bridgeId))
  return bytesToHex(sha256(concatBytes(sha256(utf8ToBytes('module')), utf8ToBytes('ophost'), zero, id)))
}

function* allModules(): Iterable<readonly [string, ModuleAccount]> {
  for (const name of moduleNames) yield [addressOf(utf8ToBytes(name)), { kind: 'MODULE', name }]
  const ids = Array.from({ length: maxId }, (_, id) => id)
  for (const id of ids) yield [bridgeOf(id), { kind: 'BRIDGE', bridgeId: id }]
  const clients = ids.slice(0, maxClient).flatMap((id) => [`07-tendermint-${id}`, `08-wasm-${id}`])
  const channels = ids.map((id) => `channel-${id}`)
  for (const port of ['transfer', 'nft-transfer'] as const) {
    for (const channel of port === 'transfer' ? [...channels, ...clients] : channels)
      yield [escrowOf(port, channel), { kind: 'ESCROW', port, channel }]
  }
}

/** Made when it is first asked for. */
let known: ReadonlyMap<string, ModuleAccount> | undefined

/**
 * The module that an address belongs to, by its bytes as hex digits, as `bytesOf` gives them. It follows from hashes alone, so
 * that it is proven, and equal on all chains. Undefined for all other addresses, and for ids of 256 and above.
 */
export function moduleOf(bytes: string): ModuleAccount | undefined {
  known ??= new Map(allModules())
  return known.get(bytes)
}
