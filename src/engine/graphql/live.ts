import type { Signal } from '../../kit/clock/signal.ts'
import { RequestScope } from '../upstream/requestScope.ts'
import type { Context, LiveContext } from './builder.ts'

const isLive = (context: Context): context is LiveContext => 'feeds' in context

/**
 * The context with the live sources, for subscriptions and for operations that wait. The scope does not know of reads
 * from these sources: `test/architecture.test.ts` names all files that may import this.
 */
export function liveOf(context: Context): LiveContext {
  if (isLive(context)) return context
  throw new TypeError('The context has no live sources.')
}

/**
 * Runs reads with a request scope of their own, for as long as the signal. The scope of a subscription must not be used for them:
 * it keeps what it has read, also that something was missing, and a poll outlives the operation that started it.
 */
export async function inScopeOfItsOwn<T>(
  context: LiveContext,
  signal: Signal,
  run: (context: LiveContext) => Promise<T>,
): Promise<T> {
  const scope = new RequestScope(signal, context, { client: context.scope.requester.client })
  try {
    return await run({ ...context, scope })
  } finally {
    scope.close()
  }
}
