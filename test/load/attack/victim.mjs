// An honest client beside an attacker: a block a few times a second, each another one.
import { Agent, request } from 'undici'
import { childOptions, serveParent } from '../../../bench/children.mjs'
import { quantile } from '../../../bench/report.mjs'

const { url, intervalMs } = childOptions()
const dispatcher = new Agent({ connections: 32 })
const patience = 10_000
let timer
let height = 1_000
let times = []
let kept = 0
let open = []

async function ask(document) {
  const started = performance.now()
  height += 37
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify(document ?? blockAt(height)),
      signal: AbortSignal.timeout(patience),
    })
    const answer = await body.json()
    if (statusCode === 200 && !answer.errors && answer.data) kept += 1
  } catch {
    // It is counted as not kept.
  }
  times.push(performance.now() - started)
}

const blockAt = (at) => ({
  query: 'query ($height: UInt53!) { chain(chainId: "harbor-1") { block(height: $height) { hash } } }',
  variables: { height: String(at) },
})

serveParent(
  {},
  {
    /** Asks from now on: for this document, else for blocks. */
    begin(document) {
      times = []
      kept = 0
      open = []
      timer = setInterval(() => open.push(ask(document)), intervalMs)
    },
    /** Waits for the last answer; gives how many there were, how many were kept, and the median time. */
    async end() {
      clearInterval(timer)
      await Promise.all(open)
      return { asked: times.length, kept, p50: quantile(times, 0.5) }
    },
  },
)
