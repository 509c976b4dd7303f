import { bech32 } from '@scure/base'
import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts'
import { type Message, readMessages, type Span } from './chainMessages.ts'
import { type Draft, type FindDraft, keyOfWay, type Leg, type Movement, type MovementState } from './movement.ts'
import { readOpInit } from './straightOpInit.ts'
import { readPackets } from './straightPackets.ts'

// Joins the two legs of each movement from all records of all chains, so that tests can compare what others find with less.

/**
 * Reads all transactions of all chains within a span of time, and joins them to movements, the oldest first. Movements
 * between chains of the sandbox that began before it are left out.
 */
export async function walkBridgeTransfers(sandbox: Sandbox, span: Span): Promise<readonly Movement[]> {
  const messages: Message[] = []
  for (const indexer of sandbox.indexers) messages.push(...(await readMessages(indexer, span)))
  const drafts = new Map<string, Draft>()
  const findDraft: FindDraft = (way) => {
    const draft = drafts.get(keyOfWay(way)) ?? { bridge: 'bridgeId' in way ? 'OPINIT' : 'IBC', way }
    drafts.set(keyOfWay(way), draft)
    return draft
  }
  readPackets(messages, sandbox, findDraft)
  readOpInit(messages, sandbox, findDraft)
  const waysBack = new Set([...drafts.values()].map(({ wayBack }) => wayBack))
  const movements = [...drafts].flatMap(([key, draft]): readonly Movement[] => {
    const { bridge, way, parties, departure = null, arrival = null } = draft
    const isCut = way.sourceChainId !== null && departure === null
    if (waysBack.has(key) || isCut || !parties) return []
    const claim = draft.wayBack === undefined ? undefined : drafts.get(draft.wayBack)?.arrival
    const refund = (draft.answer === 'bad' ? (draft.acknowledgement ?? claim) : draft.timeout) ?? null
    return [
      {
        bridge,
        way,
        ...parties,
        state: stateOf(draft, refund),
        departure,
        arrival,
        isSentOn: draft.isSentOn === true,
        refund,
      },
    ]
  })
  const begunAt = ({ departure, arrival }: Movement) => Date.parse((departure ?? arrival)?.time ?? '')
  return movements.toSorted((one, other) => begunAt(one) - begunAt(other))
}

/** The movements whose sender or receiver is an account, however its address is written. */
export function movementsOfAccount(movements: readonly Movement[], hexBytes: string): readonly Movement[] {
  const bytes = hexOf(hexBytes)
  return movements.filter(({ sender, receiver }) => hexOf(sender) === bytes || hexOf(receiver) === bytes)
}

function hexOf(address: string): string {
  if (/^(0x)?[0-9a-f]+$/i.test(address)) return address.replace(/^0x/i, '').toLowerCase()
  const bytes = bech32.decodeUnsafe(address, 200)?.words
  return bytes ? Buffer.from(bech32.fromWords(bytes)).toString('hex') : address
}

function stateOf({ timeout, answer, isSentOn }: Draft, refund: Leg | null): MovementState {
  if (timeout) return 'TIMED_OUT'
  if (answer === 'bad') return refund ? 'REFUNDED' : 'REFUSED'
  if (isSentOn) return 'PASSED_ON'
  return answer === 'good' ? 'ARRIVED' : 'UNKNOWN'
}
