import type { Packet } from '../ibc.ts'
import { heightFrom } from './lane.ts'
import { channelTo, numberAt, type StoryChain } from './network.ts'
import type { Passage, TransferData } from './passage.ts'

/** Milliseconds after which a packet can no longer be received, unless a story says otherwise. */
const usualTimeoutMs = 600_000

interface PassageOptions {
  /** Milliseconds after which the packet can no longer be received. */
  readonly timeoutMs?: number | undefined
  /** The channels at both ends, or the clients of IBC v2. */
  readonly ends?: readonly [source: string, destination: string]
}

/** The packet that a story sends from one chain to another in the first block at or after a time. */
export function passageAt(
  from: StoryChain,
  to: StoryChain,
  timeMs: number,
  data: TransferData,
  {
    timeoutMs = usualTimeoutMs,
    ends = [channelTo(from.chain, to.chain), channelTo(to.chain, from.chain)],
  }: PassageOptions = {},
): Passage {
  const packet: Packet = {
    sequence: numberAt(from, heightFrom(from.chain, timeMs)),
    source_port: 'transfer',
    source_channel: ends[0],
    destination_port: 'transfer',
    destination_channel: ends[1],
    data: Buffer.from(JSON.stringify(data)).toString('base64'),
    timeout_height: { revision_number: '0', revision_height: '0' },
    timeout_timestamp: String(BigInt(timeMs + timeoutMs) * 1_000_000n),
  }
  return { from: from.fixtures, to: to.fixtures, packet }
}
