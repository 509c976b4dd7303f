import type { Subscribe } from './transport.ts'

/** A transport that is loaded when it is first used. One that cannot be loaded is a lost connection. */
export function later(load: () => Promise<Subscribe>): Subscribe {
  let loaded: Promise<Subscribe> | undefined
  return (operation, sink) => {
    let leave: (() => void) | undefined
    let isLeft = false
    loaded ??= load()
    loaded.then(
      (subscribe) => {
        if (!isLeft) leave = subscribe(operation, sink)
      },
      () => {
        loaded = undefined
        if (!isLeft) sink.end({ kind: 'lost' })
      },
    )
    return () => {
      isLeft = true
      leave?.()
    }
  }
}
