import type { StateRules } from '../watch/stateSource.ts'
import type { Context } from './builder.ts'
import { liveOf } from './live.ts'

/**
 * The final state of something that ends, if a recent poll or query has seen it, else undefined. `found` is
 * the state that the operation has just read. All watchers of it get that state. A final state that nothing can undo
 * is true for good. An unknown one can come at any time.
 */
export const finalStateOf = <T>(context: Context, rules: StateRules<T>, key: string, found: T | null): T | undefined =>
  context.scope.read(({ onFresh }) => {
    const { poller } = liveOf(context)
    if (found !== null) poller.learn(rules, key, found)
    const final = poller.finalStates.get(rules.topic, key)
    if (final !== undefined) onFresh(Number.POSITIVE_INFINITY)
    return final
  })
