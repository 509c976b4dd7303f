/** A state that React reads, which changes at most once in a frame. */
export interface Store<State> {
  readonly get: () => State
  /** Starts with the first listener, and stops after the last one. */
  readonly subscribe: (listener: () => void) => () => void
}

/** How a store is filled. */
export interface Source<State> {
  readonly initial: State
  /** Called with the first listener. `set` shows the new state in the next frame. */
  readonly start: (set: (change: (state: State) => State) => void) => () => void
}

/** Creates a store. It keeps its state while nobody listens. */
export function createStore<State>({ initial, start }: Source<State>): Store<State> {
  const listeners = new Set<() => void>()
  let shown = initial
  let next = initial
  let isPlanned = false
  let stop: (() => void) | undefined

  const show = () => {
    isPlanned = false
    if (Object.is(shown, next)) return
    shown = next
    for (const listener of listeners) listener()
  }
  const set = (change: (state: State) => State) => {
    next = change(next)
    if (isPlanned) return
    isPlanned = true
    onFrame(show)
  }
  return {
    get: () => shown,
    subscribe(listener) {
      listeners.add(listener)
      stop ??= start(set)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        stop?.()
        stop = undefined
      }
    },
  }
}

/** Pages that are hidden have no frames, and React Native and tests may have none. */
const onFrame = (run: () => void) => {
  const { document, requestAnimationFrame } = globalThis as Partial<typeof globalThis>
  if (document?.hidden === false && requestAnimationFrame) requestAnimationFrame(run)
  else setTimeout(run, 16)
}
