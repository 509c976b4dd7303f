// Measures how soon each page paints and shows its data: `node scripts/speed.mjs [runs] [--phone]`, over the built gateway
// and explorer, in Chromium slowed down four times with 4 Mbit/s and 40 ms, or as a phone with 1.6 Mbit/s and 150 ms.
// Prints medians in milliseconds, and the kilobytes that came over the network until then.
import { account, print, slowDown, startMeasured } from './measured.mjs'

const isPhone = process.argv.includes('--phone')
const runs = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 5)
const screen = isPhone ? { width: 390, height: 844 } : { width: 1280, height: 900 }
const [latency, throughput] = isPhone ? [150, 200_000] : [40, 500_000]
const hash = '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39'

/** Paths, and what only a page with data has. */
const pages = {
  '/': '.paused-list tbody tr',
  '/chain/galley-1': '.paused-list tbody tr',
  '/block/galley-1/1041': '.facts dd',
  [`/tx/${hash}`]: '.facts dd',
  [`/address/${account}`]: '.worth',
  '/asset/harbor-1/uinit': '.facts dd',
  '/status': '.panel tbody tr',
}

const { origin, browser, close } = await startMeasured()

/** One visit of a new reader: first paint, and the first frame with data. */
async function measure(path, selector) {
  const context = await browser.newContext({ viewport: screen })
  const page = await context.newPage()
  const tools = await slowDown(page)
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput },
  })
  let bytes = 0
  tools.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript((wanted) => {
    const watch = () => {
      if (document.querySelector(wanted)) requestAnimationFrame(() => performance.mark('data'))
      else requestAnimationFrame(watch)
    }
    watch()
  }, selector)
  await page.goto(origin + path, { waitUntil: 'commit' })
  await page.waitForFunction(() => performance.getEntriesByName('data').length > 0)
  const times = await page.evaluate(() => ({
    paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    data: performance.getEntriesByName('data')[0]?.startTime,
  }))
  await context.close()
  return { ...times, bytes }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
for (const [path, selector] of Object.entries(pages)) {
  const all = []
  for (let run = 0; run < runs; run++) all.push(await measure(path, selector))
  const row = {
    paint: median(all.map(({ paint }) => paint)),
    data: median(all.map(({ data }) => data)),
    bytes: median(all.map(({ bytes }) => bytes)),
  }
  print(
    `${path.slice(0, 30).padEnd(32)}paint ${Math.round(row.paint)} ms, data ${Math.round(row.data)} ms, ${Math.round(row.bytes / 1000)} kB`,
  )
}
await close()
