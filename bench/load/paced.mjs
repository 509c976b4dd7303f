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
  // Nothing is kept of a request but one number: what stays in memory makes collections long.
  const latencies = new Float64Array(Math.ceil(2 * rate * seconds) + 1_000)
  let total = 0
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
      latencies[total] = performance.now() - sentAt
      total += 1
      if (statusCode !== 200) non2xx += 1
      else if (text.includes('"errors"')) mismatches += 1
    } catch {
      errors += 1
    }
    open -= 1
    if (open === 0) onNoneOpen()
  }
  let onNoneOpen = () => {}

  const startedAt = performance.now()
  let next = startedAt
  while (next < startedAt + seconds * 1_000) {
    const now = performance.now()
    while (next <= now) {
      if (open < mostOpen) void send()
      else errors += 1
      next += (-Math.log(1 - Math.random()) / rate) * 1_000
    }
    await new Promise((done) => setTimeout(done, next - performance.now()))
  }
  await new Promise((done) => {
    onNoneOpen = done
    if (open === 0) done()
  })
  await pool.close()
  const sorted = latencies.subarray(0, total).sort()
  return {
    requests: { total, average: total / ((performance.now() - startedAt) / 1_000) },
    latency: { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) },
    ...{ errors, non2xx, mismatches },
  }
}
