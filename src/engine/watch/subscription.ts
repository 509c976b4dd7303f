import type { Stop } from '@repeaterjs/repeater'
import type { WatchListener } from './openWatches.ts'

/** The time that a listener spends at a watch. */
export class Subscription {
  readonly #stop: Stop
  readonly #controller = new AbortController()
  #wake = () => {}

  /** Joins the watch until the listener stops. `demand` is that of `SequenceWatch.join`. */
  constructor(watch: { join(listener: WatchListener, demand?: number): () => void }, stop: Stop, demand?: number) {
    this.#stop = stop
    const abort = () => {
      this.#controller.abort()
      this.#wake()
    }
    const leave = watch.join({ wake: () => this.#wake(), abort }, demand)
    stop.then(() => {
      leave()
      abort()
    })
  }

  /** Aborts when the listener leaves, or the watch is closed. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Calls this, in place of the one before, when the watch has something new and when the subscription ends. */
  onWake(listener: () => void): void {
    this.#wake = listener
  }

  /** Runs a step again and again until the subscription ends. An error of a step stops the listener. */
  repeat(step: () => Promise<void>): void {
    const run = async () => {
      while (!this.signal.aborted) await step()
    }
    run().catch((error: unknown) => {
      if (!this.signal.aborted) this.#stop(error)
    })
  }
}
