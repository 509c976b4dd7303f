import type { ScopeSources } from '../../src/engine/upstream/cachedReads.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { type FakeClock, fakeClock } from './fakeClock.ts'

/** What the scope of an operation reads besides upstreams: an empty cache, on a clock that the test moves. */
export const scopeSources = (clock: FakeClock = fakeClock()): ScopeSources => ({
  clock,
  cache: new CacheStore(clock),
})
