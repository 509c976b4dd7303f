// Measures a page that is open for long, over the built gateway and explorer: `node scripts/long.mjs [minutes]`.
// First it scrolls through a thousand rows, with the processor slowed down four times, and prints the times of frames.
// Then it shows the home page while a fake feed sends 300 heads a second, and prints the heap.
// Three chains with blocks of 2, 3 and 5 s have 30,000 heads in eight hours.
import { account, print, slowDown, startMeasured } from './measured.mjs'

const minutes = Number(process.argv[2] ?? 2)
/** Heads of each message of the feed, 25 times a second. */
const headsAtOnce = 12
const chains = ['harbor-1', 'galley-1', 'lantern-1']
const { origin, browser, close } = await startMeasured()

async function scroll() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${origin}/address/${account}`)
  const rows = page.locator('.held tbody tr')
  await rows.first().waitFor()
  while ((await rows.count()) < 1_000) {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.waitForTimeout(100)
  }
  await slowDown(page)
  const frames = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const times = []
        const height = document.body.scrollHeight
        let last = performance.now()
        let y = 0
        const step = (now) => {
          times.push(now - last)
          last = now
          y += 60
          scrollTo(0, y)
          if (y < height && times.length < 600) requestAnimationFrame(step)
          else resolve(times.sort((a, b) => a - b))
        }
        requestAnimationFrame(step)
      }),
  )
  const at = (part) => Math.round(frames[Math.floor(part * (frames.length - 1))])
  print(
    `${await rows.count()} rows: frames of ${at(0.5)} ms, ${at(0.95)} ms at the 95th percentile, ${at(1)} ms at most`,
  )
  await page.close()
}

/** A head of one of the chains, as the subscription of the home page has it. */
function headAt(height) {
  const chainId = chains[height % chains.length]
  const timestamp = new Date().toISOString()
  const row = {
    ...{ __typename: 'EvmTransaction', hash: `0x${height}`, height, timestamp },
    ...{ isSuccessful: true, chain: { chainId, prettyName: chainId } },
  }
  const block = {
    ...{ height, timestamp, blockTimeSeconds: 1, transactionCount: 1 },
    ...{ transactions: { nodes: [row] }, proposer: { moniker: 'feed' } },
  }
  return { chainHeads: { chain: { chainId }, height, isLate: false, block } }
}

/** A feed of heads in place of the socket of the page. */
async function feed(page) {
  await page.routeWebSocket('**/graphql', (socket) => {
    let timer
    let height = 10_000_000
    socket.onMessage((text) => {
      const { type, id, payload } = JSON.parse(text)
      if (type === 'connection_init') socket.send(JSON.stringify({ type: 'connection_ack' }))
      if (type === 'ping') socket.send(JSON.stringify({ type: 'pong' }))
      if (type !== 'subscribe' || !payload.query?.includes('chainHeads')) return
      timer = setInterval(() => {
        for (let sent = 0; sent < headsAtOnce; sent++) {
          socket.send(JSON.stringify({ id, type: 'next', payload: { data: headAt(++height) } }))
        }
      }, 40)
    })
    socket.onClose(() => clearInterval(timer))
  })
}

async function hold() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await feed(page)
  await page.goto(origin)
  await page.locator('.card .big a').first().waitFor()
  const tools = await page.context().newCDPSession(page)
  const megabytes = async () => {
    await tools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await tools.send('Runtime.getHeapUsage')
    return usedSize / 1e6
  }
  const parts = 6
  for (let part = 0; part <= parts; part++) {
    const height = await page.locator('.card .big').first().textContent()
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    print(`height ${height}: heap ${(await megabytes()).toFixed(1)} MB, ${nodes} elements`)
    if (part < parts) await page.waitForTimeout((minutes * 60_000) / parts)
  }
}

await scroll()
await hold()
await close()
