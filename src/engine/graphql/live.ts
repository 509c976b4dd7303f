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
