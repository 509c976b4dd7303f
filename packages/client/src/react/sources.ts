import type { Client } from '../client.ts'
import type { Document } from '../document.ts'
import type { LiveStatus } from '../live.ts'
import type { PortolanError } from '../portolanError.ts'
import { beginning, type ResumeRule } from '../resume.ts'
import type { Source } from './store.ts'

/** The state that a live component shows. */
export interface LiveState<State> {
  readonly data: State
  readonly status: LiveStatus
  /** Why it ended. */
  readonly error: PortolanError | undefined
}

/** How events become what a component shows. */
export interface LiveSource<Data, Variables, State> {
  readonly document: Document<Data, Variables>
  readonly variables: Variables | undefined
  readonly initial: State
  readonly rule: ResumeRule | undefined
  readonly reduce: (state: State, event: Data) => State
  /** Events are missing: read anew what is shown. */
  readonly onGap: (reason: string) => void
}

/** The events of a subscription. One that starts again continues after the last event. */
export function liveSource<Data, Variables, State>(
  client: Client,
  { document, variables, initial, rule, reduce, onGap }: LiveSource<Data, Variables, State>,
): Source<LiveState<State>> {
  let cursor: string | undefined
  return {
    initial: { data: initial, status: 'connecting', error: undefined },
    start(set) {
      const [begun, resume] = beginning({ ...variables }, cursor, rule)
      const live = client.subscribe(document as Document<Data, object>, begun, { resume })
      live.onStatus((status) => set((state) => ({ ...state, status })))
      const read = async () => {
        for await (const event of live) {
          cursor = live.cursor
          if (event.kind === 'gap') onGap(event.reason)
          if (event.kind !== 'data') continue
          set((state) => ({ ...state, data: reduce(state.data, event.data) }))
        }
      }
      read().catch((error) => set((state) => ({ ...state, error })))
      return () => void live.return()
    },
  }
}

/** Milliseconds for which a loss is not shown. Most are over by then. */
const graceMs = 5_000

/** Whether a client has its connection. A loss is shown after five seconds. */
export const statusSource = (client: Client): Source<Client['status']> => ({
  initial: client.status,
  start(set) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      const { status } = client
      if (status !== 'offline') {
        clearTimeout(timer)
        timer = undefined
        set(() => status)
      } else timer ??= setTimeout(() => set(() => client.status), graceMs)
    }
    update()
    const stop = client.onStatus(update)
    return () => {
      clearTimeout(timer)
      stop()
    }
  },
})

/** Why a client gets nothing. */
export const problemSource = (client: Client): Source<Client['problem']> => ({
  initial: client.problem,
  start(set) {
    const update = () => set(() => client.problem)
    update()
    return client.onStatus(update)
  },
})
