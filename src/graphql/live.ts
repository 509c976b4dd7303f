import type { Context, LiveContext } from './builder.ts'

const isLive = (context: Context): context is LiveContext => 'feeds' in context

/**
 * The context with the live sources. For subscriptions, and for operations that wait. What a query reads from these
 * is not known to its scope: `test/architecture.test.ts` names all files that may import this.
 */
export function liveOf(context: Context): LiveContext {
  if (isLive(context)) return context
  throw new TypeError('The context has no live sources.')
}
