// Measures a page that is open for long, over the built gateway and explorer: `node scripts/long.mjs [minutes]`.
// First it scrolls through a thousand rows, with the processor slowed down four times, and prints the times of frames.
// Then it shows the live pages while a fake feed sends 300 events a second, and prints the heap after each collection.
// `node scripts/long.mjs 1 heap` leaves out the scroll, and `node scripts/long.mjs 1 activity` all pages but one.
// Three chains with blocks of 2, 3 and 5 s have 30,000 heads in eight hours.
import { account, print, slowDown, startMeasured } from './measured.mjs'

const minutes = Number(process.argv[2] ?? 2)
const only = process.argv[3] ?? 'all'
/** Events that the feed sends 25 times a second: as many as the page can show. */
const eventsAtOnce = { chainHeads: 12, blocks: 12, activity: 2 }
const chains = ['harbor-1', 'galley-1', 'lantern-1']
const pages = {
  '/': 'chainHeads',
  '/chain/galley-1': 'blocks',
  [`/address/${account}`]: 'activity',
}
const { origin, browser, close } = await startMeasured()

async function scroll() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.goto(`${origin}/address/${account}`)
  const rows = page.locator('.paused-list tbody tr')
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

/** A transaction as lists have it. */
const rowAt = (height, chainId) => ({
  ...{ __typename: 'EvmTransaction', hash: `0x${height}`, height, isSuccessful: true },
  ...{ timestamp: new Date().toISOString(), chain: { chainId, prettyName: chainId } },
})

const blockAt = (height) => ({
  ...{ height, timestamp: new Date().toISOString(), blockTimeSeconds: 1, transactionCount: 1 },
  proposer: { moniker: 'feed' },
})

/** An event of each page, as its subscription has it. */
const events = {
  chainHeads(height) {
    const chainId = chains[height % chains.length]
    const block = { ...blockAt(height), transactions: { nodes: [rowAt(height, chainId)] } }
    return { chain: { chainId }, height, isLate: false, block }
  },
  blocks: (height) => ({ cursor: `feed${height}`, node: blockAt(height), notice: null }),
  activity: (height) => ({
    ...{ cursor: `feed${height}`, node: rowAt(height, 'galley-1'), notice: null },
    chain: { chainId: 'galley-1', prettyName: 'Galley' },
  }),
}

/** The newest height of the chain of the pages. */
async function headOf() {
  const body = JSON.stringify({ query: '{ chain(chainId: "galley-1") { freshness { height } } }' })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${origin}/graphql`, { method: 'POST', headers, body })
  return (await response.json()).data.chain.freshness.height
}

/** A feed in place of the socket of the page. Each subscription continues what its page has just read. */
async function feed(page, field, sent) {
  await page.routeWebSocket('**/graphql', (socket) => {
    const timers = new Map()
    const stop = (id) => clearInterval(timers.get(id))
    socket.onMessage(async (text) => {
      const { type, id, payload } = JSON.parse(text)
      if (type === 'connection_init') socket.send(JSON.stringify({ type: 'connection_ack' }))
      if (type === 'ping') socket.send(JSON.stringify({ type: 'pong' }))
      if (type === 'complete') stop(id)
      if (type !== 'subscribe' || !new RegExp(`\\b${field}\\(`).test(payload.query)) return
      let height = field === 'chainHeads' ? 10_000_000 + sent.events : await headOf()
      const send = () => {
        for (let at = 0; at < eventsAtOnce[field]; at++) {
          const data = { [field]: events[field](++height) }
          socket.send(JSON.stringify({ id, type: 'next', payload: { data } }))
          sent.events++
        }
      }
      timers.set(id, setInterval(send, 40))
    })
    socket.onClose(() => timers.forEach((_, id) => void stop(id)))
  })
}

/** Prints the heap of a page that is fed. `read` is what its reader does meanwhile. */
async function hold(path, field, read = async () => {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const sent = { events: 0 }
  await feed(page, field, sent)
  await page.goto(origin + path)
  await page.locator('.paused-list tbody tr').first().waitFor()
  await read(page)
  const tools = await page.context().newCDPSession(page)
  const megabytes = async () => {
    await tools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await tools.send('Runtime.getHeapUsage')
    return usedSize / 1e6
  }
  const parts = 6
  for (let part = 0; part <= parts; part++) {
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
    print(`${path.slice(0, 20)}: ${sent.events} events, ${(await megabytes()).toFixed(1)} MB, ${nodes} elements`)
    if (part < parts) await page.waitForTimeout((minutes * 60_000) / parts)
  }
  await page.close()
}

/** The pointer rests on the list, or the reader is far below its top. */
const reads = {
  'at the top': undefined,
  // At once: the rows change faster than a browser is asked for one.
  async 'with the pointer on the list'(page) {
    const { x, y } = await page.locator('.paused-list').first().boundingBox()
    await page.mouse.move(x + 50, y + 60)
  },
  async 'far below the top'(page) {
    while ((await page.evaluate(() => scrollY)) < 3_000) {
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
      await page.waitForTimeout(100)
    }
  },
}

/** The home page is short, and the blocks of a chain grow only on demand. */
const hasReader = (field, name) =>
  name === 'at the top' || field === 'activity' || (field === 'blocks' && name === 'with the pointer on the list')

if (only === 'all') await scroll()
for (const [path, field] of Object.entries(pages)) {
  if (!['all', 'heap', field].includes(only)) continue
  for (const [name, read] of Object.entries(reads)) {
    if (!hasReader(field, name)) continue
    print(`${field}, ${name}`)
    await hold(path, field, read)
  }
}
await close()
