import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts'
import type { Message } from './chainMessages.ts'
import { type FindDraft, keyOfWay, type OpInitWay } from './movement.ts'

/** Reads the events of OPinit bridges. */
export function readOpInit(messages: readonly Message[], { indexers }: Sandbox, findDraft: FindDraft): void {
  const hub = indexers.find((one) => one.opInitFinalizationSeconds !== undefined && one.opInitBridgeId === undefined)
  const wayOf = (chainId: string, direction: OpInitWay['direction'], is: Message['rows'][number]['is']): OpInitWay => {
    // Events of a rollup do not name its bridge.
    const bridgeId = is.bridge_id ?? indexers.find((one) => one.chainId === chainId)?.opInitBridgeId ?? ''
    const onHub = hub?.chainId ?? null
    const onRollup = indexers.find(({ opInitBridgeId }) => opInitBridgeId === bridgeId)?.chainId ?? null
    return direction === 'deposit'
      ? { sourceChainId: onHub, destinationChainId: onRollup, bridgeId, direction, sequence: is.l1_sequence ?? '' }
      : { sourceChainId: onRollup, destinationChainId: onHub, bridgeId, direction, sequence: is.l2_sequence ?? '' }
  }
  for (const { leg, rows } of messages) {
    for (const { type, is } of rows) {
      const amount = is.amount ?? ''
      const parties = { sender: is.from ?? is.sender ?? '', receiver: is.to ?? is.recipient ?? '', amount }
      const draftOf = (direction: OpInitWay['direction']) => findDraft(wayOf(leg.chainId, direction, is))
      switch (type) {
        case 'initiate_token_deposit':
          Object.assign(draftOf('deposit'), { departure: leg, parties })
          break
        case 'finalize_token_deposit': {
          const { success, reason = '' } = is
          const isKept = success === 'true' || reason.startsWith('hook failed; ')
          const answer = isKept ? 'good' : reason.startsWith('deposit failed; ') ? 'bad' : undefined
          const back = rows.find((row) => row.type === 'initiate_token_withdrawal')?.is
          const wayBack = back && keyOfWay(wayOf(leg.chainId, 'withdrawal', back))
          Object.assign(draftOf('deposit'), { arrival: leg, parties, answer, wayBack })
          break
        }
        case 'initiate_token_withdrawal':
          Object.assign(draftOf('withdrawal'), { departure: leg, parties })
          break
        case 'finalize_token_withdrawal':
          Object.assign(draftOf('withdrawal'), { arrival: leg, parties, answer: 'good' })
      }
    }
  }
}
