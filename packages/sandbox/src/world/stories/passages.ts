import type { Packet } from '../ibc.ts'
import { heightFrom } from './lane.ts'
import { channelTo, numberAt, type Side } from './network.ts'
import type { Passage, TransferData } from './passage.ts'

/** Milliseconds after which a packet can no longer be received, unless a story says otherwise. */
const usualTimeoutMs = 600_000

/** The packet that a story sends from one chain to another in the first block at or after a time. */
export function passageAt(
  from: Side,
  to: Side,
  timeMs: number,
  data: TransferData,
  timeoutMs = usualTimeoutMs,
): Passage {
  const packet: Packet = {
    sequence: numberAt(from, heightFrom(from.chain, timeMs)),
    source_port: 'transfer',
    source_channel: channelTo(from.chain, to.chain),
    destination_port: 'transfer',
    destination_channel: channelTo(to.chain, from.chain),
    data: Buffer.from(JSON.stringify(data)).toString('base64'),
    timeout_height: { revision_number: '0', revision_height: '0' },
    timeout_timestamp: String(BigInt(timeMs + timeoutMs) * 1_000_000n),
  }
  return { from: from.fixtures, to: to.fixtures, packet }
}
