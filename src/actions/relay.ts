import type { Draft } from './action.ts'
import type { Step } from './family.ts'
import { textOf } from './fields.ts'
import { says } from './sentence.ts'
import { listOf } from './summary.ts'

/** The words for messages of a relayer by their names, singular and plural. */
const works: Readonly<Record<string, readonly [one: string, many: string]>> = {
  MsgUpdateClient: ['client update', 'client updates'],
  MsgUpgradeClient: ['client upgrade', 'client upgrades'],
  MsgSubmitMisbehaviour: ['report of misbehaviour', 'reports of misbehaviour'],
  MsgRecvPacket: ['packet', 'packets'],
  MsgAcknowledgement: ['acknowledgement', 'acknowledgements'],
  MsgPruneAcknowledgements: ['removal of acknowledgements', 'removals of acknowledgements'],
  MsgTimeout: ['timeout', 'timeouts'],
  MsgTimeoutOnClose: ['timeout', 'timeouts'],
}
const handshake = ['handshake message', 'handshake messages'] as const

/** Whether a message is work of a relayer. Packets with coins or NFTs are read before. */
export const isRelayed = (type: string): boolean =>
  /^ibc\.core\.(client|connection|channel)\.v\d+\.Msg\w+$/.test(type)

/** All work of a relayer in a transaction as one action. */
export function relayOf(steps: readonly Step[]): Draft {
  const counts = new Map<readonly [string, string], number>()
  for (const { type } of steps) {
    const work = works[type.split('.').at(-1) ?? ''] ?? handshake
    counts.set(work, (counts.get(work) ?? 0) + 1)
  }
  const parts = [...counts].map(([[one, many], count]) => `${count} ${count === 1 ? one : many}`)
  return {
    kind: 'IBC_RELAY',
    actor: textOf(steps[0]?.message ?? {}, 'signer'),
    says: says(['Relayed', 'relay'], ` ${listOf(parts)} over IBC`),
  }
}
