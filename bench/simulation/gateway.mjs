// A gateway of the simulation: the polling, the feeds and the peers of src, without a server.
import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import { fleetWaitMs } from '../../dist/fleet/fleet.js'
import { createRunRead } from '../../dist/fleet/sharedReads/runRead.js'
import { createSharedPeers } from '../../dist/fleet/sharedReads/sharedPeers.js'
import { createMemoryCacheStore } from '../../dist/kit/cache/cache.js'
import { get } from '../../dist/upstream/request.js'
import { createFeeds } from '../../dist/watch/feed.js'
import { createPoller } from '../../dist/watch/poller.js'
import { defineTopic } from '../../dist/watch/topic.js'

const transfers = defineTopic('transfers')
const blocks = defineTopic('blocks')
const messages = {
  timeout: 'It took too long.',
  notFound: 'It is not known.',
  stillPending: () => 'It is pending.',
  invalid: 'It is out of order.',
}
const statusOf = (key) => get(`/status/${key}`, z.object({ state: z.int() }))
const headOf = get('/head', z.object({ height: z.coerce.bigint() }))
/** The state of a transfer that has ended. */
const ended = 100

/** A clock whose timers end with a gateway. */
const mortal = (clock, signal) => ({
  now: clock.now,
  date: clock.date,
  after: (milliseconds, run) => clock.after(milliseconds, () => signal.aborted || run()),
})

/** Starts a gateway that watches through the store. */
export function startGateway({ clock, random, store, upstreams }) {
  const life = new AbortController()
  setMaxListeners(0, life.signal)
  const ownClock = mortal(clock, life.signal)
  const { router, chains } = upstreams
  const runRead = createRunRead({ router, chains }, ownClock)
  const member = store.join(runRead, life.signal)
  const peers = createSharedPeers(member.reads)
  const poller = createPoller({
    ...{ clock: ownClock, random, cache: createMemoryCacheStore(ownClock) },
    fleetWaitMs,
  })
  const feeds = createFeeds({ clock: ownClock, random, fleetWaitMs })

  const transferTarget = (key) => ({
    ...{ topic: transfers, key, messages },
    fetch: (signal, options) => peers.send(router, statusOf(key), signal, options),
    follow: (listener) => peers.follow(router, statusOf(key), listener),
    equals: (before, now) => before.state === now.state,
    isStale: (before, now) => now.state < before.state,
    isFinal: ({ state }) => state === ended,
    isIrreversible: ({ state }) => state === ended,
    isSettled: ({ state }) => state === ended,
    isFatal: () => false,
  })
  const topOf = ({ height }) => ({ position: height })
  const blockSource = (chainId) => {
    const { indexer } = chains.get(chainId)
    return {
      ...{ topic: blocks, key: chainId, upstream: indexer, messages },
      head: async (signal, options) => topOf(await peers.send(indexer, headOf, signal, options)),
      follow: (listener) =>
        peers.follow(indexer, headOf, (observed) =>
          listener('error' in observed ? observed : { ...observed, value: topOf(observed.value) }),
        ),
      range: async () => [],
      ...{ rangeSize: 100, positionOf: ({ height }) => height },
      ...{ intervalMs: 1_000, lateAfterMs: 30_000, isFatal: () => false },
    }
  }

  return {
    isAlive: () => !life.signal.aborted,
    /** Resolves once a watcher has seen the end of a transfer. Never, if the gateway ends before. */
    async watch(key) {
      for await (const { state } of poller.watch(transferTarget(key))) if (state === ended) return
    },
    /** Calls back with each new height that somebody who follows the chain gets. */
    async followHeads(chainId, onHead) {
      for await (const { position } of feeds.heads(blockSource(chainId))) {
        if (!life.signal.aborted) onHead(position)
      }
    },
    /** Ends as a process that crashes. */
    die() {
      member.leave()
      life.abort(new Error('dead'))
    },
    /** Lets go of everything first. */
    stop() {
      poller.close()
      feeds.close()
      member.leave()
      life.abort(new Error('stopped'))
    },
  }
}
