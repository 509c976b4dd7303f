// One load on one contestant, and what it cost.
import autocannon from 'autocannon'

const headers = { 'content-type': 'application/json' }

/** Sends one body; gives the text of the answer. */
export async function post(url, body) {
  const response = await fetch(url, { method: 'POST', headers, body })
  return response.text()
}

/** Sends bodies for some seconds, each connection the next one when it has its answer. */
const load = (url, { nextBody, seconds, connections }) =>
  autocannon({
    url,
    method: 'POST',
    connections,
    duration: seconds,
    headers,
    requests: [{ setupRequest: (request) => ({ ...request, body: nextBody() }) }],
    verifyBody: (text) => !String(text).includes('"errors"'),
  })

/**
 * Seconds of each load at the highest rate before anything is timed. V8 needs them to compile what runs most. At the
 * end of the first one the clients leave while their requests are under way, and V8 compiles a part of it again.
 */
const warmUps = [4, 2]

/** Warms a contestant up, then measures it. */
export async function measureWarm(contestant, upstream, options) {
  for (const seconds of warmUps) await load(contestant.url, { ...options, seconds })
  return measure(contestant, upstream, options)
}

/**
 * Loads a contestant. Gives requests a second, latencies in milliseconds,
 * and for each request microseconds of CPU and upstream calls; the resident MiB at the end; and how many
 * requests failed.
 */
async function measure(contestant, upstream, options) {
  await upstream.takeRequests()
  const before = await contestant.usage()
  const { requests, latency, errors, non2xx, mismatches } = await load(contestant.url, options)
  const after = await contestant.usage()
  return {
    rate: requests.average,
    p50: latency.p50,
    p99: latency.p99,
    cpuMicros: (after.cpuMicros - before.cpuMicros) / requests.total,
    calls: (await upstream.takeRequests()) / requests.total,
    rss: after.rss / 2 ** 20,
    failed: errors + non2xx + mismatches,
  }
}
