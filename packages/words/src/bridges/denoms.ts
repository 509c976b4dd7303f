import { sha256 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** A path of a coin that came over IBC: ports and channels, or clients by IBC v2, the latest first. */
const trace = /^(?:[\w.+#<>[\]-]+\/(?:channel|client|\d\d-[a-z]+)-\d+\/)+/

/**
 * The denom of a coin on a chain that knows it by this path, such as `transfer/channel-0/uatom`: `ibc/` and a hash of the path
 * (ADR-001 of ibc-go), or the path itself if it has no channel.
 */
export const denomOfPath = (path: string): string =>
  trace.test(path) ? `ibc/${bytesToHex(sha256(utf8ToBytes(path))).toUpperCase()}` : path

/** Where a packet goes. */
interface PacketEnds {
  readonly sourcePort: string
  readonly source: string
  readonly destinationPort: string
  readonly destination: string
}

/**
 * The path of a coin on the chain that gets it in a packet, by ICS-20: one channel more, or one less if the coin goes back to
 * where it came from.
 */
export function receivedPath(path: string, { sourcePort, source, destinationPort, destination }: PacketEnds): string {
  const own = `${sourcePort}/${source}/`
  return path.startsWith(own) ? path.slice(own.length) : `${destinationPort}/${destination}/${path}`
}

/** The denom on a rollup of a coin of the hub, by OPinit (`L2Denom` in `x/ophost/types`). */
export function rollupDenom(bridgeId: bigint, hubDenom: string): string {
  const id = new Uint8Array(8)
  new DataView(id.buffer).setBigUint64(0, bridgeId)
  return `l2/${bytesToHex(sha3_256(concatBytes(id, utf8ToBytes(hubDenom))))}`
}
