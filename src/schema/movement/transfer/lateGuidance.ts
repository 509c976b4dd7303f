import { Repeater } from '@repeaterjs/repeater'
import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { RequestScope } from '../../../engine/upstream/requestScope.ts'
import { neverAborted } from '../../../kit/cache/region.ts'
import { secondsUntilLate } from '../guidance/guidanceShape.ts'
import { transferGuidance } from '../guidance/hopGuidance.ts'
import { transferShape } from './loadTransfer.ts'
import type { TransferStatus } from './readStatus.ts'
import { isTerminal } from './state.ts'
import type { TransferRef } from './transferRef.ts'

/** Seconds until the guidance for a state says that it takes too long. Null if that does not come, or is not known. */
async function findLateness(context: LiveContext, ref: TransferRef, status: TransferStatus): Promise<number | null> {
  if (isTerminal(status.state)) return null
  // The scope of the subscription keeps what it read at an earlier state, so this reads with one of its own.
  const scope = new RequestScope(neverAborted, context, { client: context.scope.requester.client })
  try {
    return secondsUntilLate(await transferGuidance({ ...context, scope }, transferShape(ref, status)))
  } catch {
    return null
  } finally {
    scope.close()
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
