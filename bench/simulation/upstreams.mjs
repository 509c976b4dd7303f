// The router and the indexers of the simulation: what they answer, and how often they were asked.

const blockMs = 2_000

/** Each answer takes 20 to 200 ms. */
export function createUpstreams({ clock, random, chainIds }) {
  const counts = { polls: 0, heads: 0 }
  let mostInFlight = 0
  let inFlight = 0
  const transfers = new Map()
  /** Requests under way, by what they ask for, and the most there were. */
  const underWay = new Map()
  let most = 0

  /** An upstream as gateways know it. `answer` gives a body, as it is when the answer leaves. */
  const upstreamOf = (service, answer) => ({
    service,
    send: ({ target }, signal) =>
      new Promise((resolve, reject) => {
        const key = `${service} ${target}`
        const change = (by) => {
          const now = (underWay.get(key) ?? 0) + by
          most = Math.max(most, now)
          inFlight += by
          mostInFlight = Math.max(mostInFlight, inFlight)
          if (now === 0) underWay.delete(key)
          else underWay.set(key, now)
        }
        let isOpen = true
        const close = () => {
          if (isOpen) change(-1)
          isOpen = false
        }
        change(1)
        signal.addEventListener('abort', () => {
          close()
          reject(signal.reason)
        })
        clock.after(20 + random() * 180, () => {
          if (!isOpen) return
          close()
          resolve(JSON.stringify(answer(target)))
        })
      }),
  })

  const router = upstreamOf('router', (target) => {
    counts.polls += 1
    const { startedAt, endsAt } = transfers.get(target.split('/').at(-1))
    const share = (clock.now() - startedAt) / (endsAt - startedAt)
    return { state: share >= 1 ? 100 : Math.floor(share * 5) }
  })
  const heightAt = (time) => Math.floor(time / blockMs)
  const chains = new Map(
    chainIds.map((chainId) => [
      chainId,
      {
        indexer: upstreamOf(chainId, () => {
          counts.heads += 1
          return { height: heightAt(clock.now()) }
        }),
      },
    ]),
  )
  return {
    router,
    chains,
    startTransfer(key, durationMs) {
      transfers.set(key, { startedAt: clock.now(), endsAt: clock.now() + durationMs })
    },
    /** Milliseconds since a transfer ended. */
    sinceEnd: (key) => clock.now() - transfers.get(key).endsAt,
    /** Milliseconds since the newest block of a chain was made. */
    ageOfHead: () => clock.now() % blockMs,
    counts: () => ({ ...counts }),
    /** The most requests that were under way for one thing at the same time. */
    mostAtOnce: () => most,
    /** The most requests that were under way at the same time. */
    mostInFlight: () => mostInFlight,
  }
}
