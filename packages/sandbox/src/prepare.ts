import type { World } from './world/world.ts'

/** Milliseconds of work before the sandbox is there: its newest transactions, and code that is warm. */
const firstMs = 700

/** Milliseconds of work in one turn after that, and between two turns. Requests come in between. */
const workMs = 5
const restMs = 10

/**
 * Reads whom the transactions of each chain name, a few at a time, so that an account which is rarely named costs no second of work
 * when somebody asks for it. The returned function ends that.
 */
export function prepareAccounts(worlds: readonly World[]): () => void {
  const steps = worlds.map(({ transactions, height }) => transactions.prepare(height()))
  let timer: ReturnType<typeof setTimeout> | undefined
  const work = (milliseconds: number) => {
    const end = performance.now() + milliseconds
    while (performance.now() < end) {
      // The chains take turns, so that none is left for last.
      const step = steps.shift()
      if (!step) return
      if (!step.next().done) steps.push(step)
    }
    plan()
  }
  const plan = () => {
    timer = setTimeout(work, restMs, workMs)
    timer.unref()
  }
  work(firstMs)
  return () => clearTimeout(timer)
}
