// A load of so many requests a second that come independently of each other, as those of many users do.
// autocannon sends all requests of a second at its beginning.
import { Pool } from 'undici'

const headers = { 'content-type': 'application/json' }

/** The most requests under way. More mean that the contestant cannot stand the rate. */
const mostOpen = 2_000

/** The value below which that share of sorted values is. */
const quantile = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

/** Sends bodies at random times, `rate` of them a second on average. Gives what `autocannon` would give. */
export async function pacedLoad(url, { nextBody, seconds, connections, rate }) {
  const { origin, pathname } = new URL(url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const latencies = []
  let open = 0
  let errors = 0
  let non2xx = 0
  let mismatches = 0

  const send = async () => {
    open += 1
    const sentAt = performance.now()
    try {
      const request = { path: pathname, method: 'POST', headers, body: nextBody() }
      const { statusCode, body } = await pool.request(request)
      const text = await body.text()
      latencies.push(performance.now() - sentAt)
      if (statusCode !== 200) non2xx += 1
      else if (text.includes('"errors"')) mismatches += 1
    } catch {
      errors += 1
    }
    open -= 1
  }

  const startedAt = performance.now()
  const sending = []
  let next = startedAt
  while (next < startedAt + seconds * 1_000) {
    const now = performance.now()
    while (next <= now) {
      if (open < mostOpen) sending.push(send())
      else errors += 1
      next += (-Math.log(1 - Math.random()) / rate) * 1_000
    }
    await new Promise((done) => setTimeout(done, next - performance.now()))
  }
  await Promise.all(sending)
  await pool.close()
  latencies.sort((a, b) => a - b)
  const total = latencies.length
  return {
    requests: { total, average: total / ((performance.now() - startedAt) / 1_000) },
    latency: { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) },
    ...{ errors, non2xx, mismatches },
  }
}
