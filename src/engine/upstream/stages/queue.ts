import type { Caller } from '../../../kit/cache/singleFlight.ts'
import type { FairQueue } from '../../../kit/queue/fairQueue.ts'
import type { Leave } from '../../../kit/queue/roundRobin.ts'
import type { Requester } from '../requester.ts'
import { makeRefusal } from '../upstreamError.ts'
import type { UpstreamOptions } from '../upstreamOptions.ts'
import type { Call, EndCall, Next, Result, Stage } from './call.ts'

interface QueuedCall<T> {
  readonly call: Call<T>
  readonly next: Next
  readonly end: EndCall<T>
  /** Time of the clock when it began to wait. */
  readonly queuedAt: number
  /** Callers of the call that wait in the queue. */
  tickets: number
  isWaiting: boolean
}

/**
 * Runs each call in a slot. All callers of a call wait in the queue, each in its own turn, and the first caller
 * whose turn comes starts it.
 */
export function createQueue({ service, clock, events }: Required<UpstreamOptions>, slots: FairQueue): Stage {
  const enqueue = <T>(queued: QueuedCall<T>, caller: Caller<Requester, Result<T>>) => {
    let leave: Leave | undefined
    const drop = () => {
      caller.onLeave = undefined
      queued.tickets -= 1
      if (queued.tickets > 0) return
      stopWaiting(queued)
      const { flight } = queued.call
      queued.end(flight.isCancelled ? undefined : makeRefusal(service, 'queue'))
    }
    queued.tickets += 1
    const onLeave = () => {
      leave?.()
      if (queued.isWaiting) drop()
    }
    caller.onLeave = onLeave
    leave = slots.join(caller.member, {
      start(release) {
        stopWaiting(queued, caller)
        run(queued, release)
      },
      refuse: drop,
    })
  }

  const run = <T>({ call, next, end, queuedAt }: QueuedCall<T>, release: Leave) => {
    events.onQueued?.(service, (clock.now() - queuedAt) / 1000)
    next(call, (outcome) => {
      release()
      end(outcome)
    })
  }

  return <T>(call: Call<T>, next: Next, end: EndCall<T>) => {
    const { flight } = call
    const queuedAt = clock.now()
    const queued: QueuedCall<T> = { call, next, end, queuedAt, tickets: 0, isWaiting: true }
    const onJoin = (caller: Caller<Requester, Result<T>>) => enqueue(queued, caller)
    flight.onJoin = onJoin
    for (const caller of flight.callers) if (queued.isWaiting) enqueue(queued, caller)
  }
}

/** Removes the callers from the queue, except for the caller that starts the call. */
function stopWaiting<T>(queued: QueuedCall<T>, starting?: Caller<Requester, Result<T>>): void {
  const { flight } = queued.call
  queued.isWaiting = false
  flight.onJoin = undefined
  for (const caller of flight.callers) {
    const { onLeave } = caller
    caller.onLeave = undefined
    if (caller !== starting) onLeave?.()
  }
}
