import { Repeater } from '@repeaterjs/repeater'
import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { inScopeOfItsOwn } from '../../../engine/graphql/live.ts'
import { neverAborted } from '../../../kit/cache/region.ts'
import { secondsUntilLate } from '../guidance/guidanceShape.ts'
import { transferGuidance } from '../guidance/hopGuidance.ts'
import { transferShape } from '../joined/loadTransfer.ts'
import type { TransferStatus } from '../reported/readStatus.ts'
import type { TransferRef } from '../reported/transferRef.ts'
import { isTerminal } from '../reported/transferState.ts'

/** Seconds until the guidance for a state says that it takes too long. Null if that does not come, or is not known. */
async function findLateness(context: LiveContext, ref: TransferRef, status: TransferStatus): Promise<number | null> {
  if (isTerminal(status.state)) return null
  try {
    const read = (own: LiveContext) => transferGuidance(own, transferShape(ref, status))
    return secondsUntilLate(await inScopeOfItsOwn(context, neverAborted, read))
  } catch {
    return null
  }
}

/** The states of a transfer, and the last one again once its guidance says that it takes too long: no state tells that. */
export function withLateGuidance(
  context: LiveContext,
  ref: TransferRef,
  states: AsyncIterableIterator<TransferStatus>,
): AsyncIterableIterator<TransferStatus> {
  return new Repeater<TransferStatus>(async (push, stop) => {
    let cancel = () => {}
    let latest: TransferStatus | undefined
    stop.then(() => {
      cancel()
      void states.return?.()
    })
    const plan = async (status: TransferStatus) => {
      const seconds = await findLateness(context, ref, status)
      if (seconds === null || status !== latest) return
      cancel = context.clock.after(1_000 * seconds, () => {
        if (status === latest) void push(status)
      })
    }
    try {
      for await (const status of states) {
        cancel()
        latest = status
        void plan(status)
        await push(status)
      }
      stop()
    } catch (error) {
      stop(error)
    } finally {
      latest = undefined
      cancel()
    }
  })
}
