// Measures how soon each page paints and shows its data: `node scripts/speed.mjs [runs]`, over the built gateway and
// explorer, in Chromium slowed down four times with 4 Mbit/s and 40 ms. Prints medians in milliseconds.
import { account, print, slowDown, startMeasured } from './measured.mjs'

const runs = Number(process.argv[2] ?? 5)
const hash = '82F15C4FB1E4A968B5F5F74298DE224C3FA5BC4D68ED00778222E5F6DCB5CA39'

/** Paths, and what only a page with data has. */
const pages = {
  '/': '.card .big a',
  '/chain/galley-1': '.held tbody tr',
  '/block/galley-1/1041': '.facts dd',
  [`/tx/${hash}`]: '.facts dd',
  [`/address/${account}`]: '.panel .number .digits',
  '/asset/harbor-1/uinit': '.facts dd',
  '/status': '.panel tbody tr',
}

const { origin, browser, close } = await startMeasured()

/** One visit of a new reader: first paint, and the first frame with data. */
async function measure(path, selector) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const tools = await slowDown(page)
  await tools.send('Network.enable')
  await tools.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 40, downloadThroughput: 500_000, uploadThroughput: 500_000 },
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
  return times
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
for (const [path, selector] of Object.entries(pages)) {
  const all = []
  for (let run = 0; run < runs; run++) all.push(await measure(path, selector))
  const row = {
    paint: median(all.map(({ paint }) => paint)),
    data: median(all.map(({ data }) => data)),
  }
  print(`${path.slice(0, 30).padEnd(32)}paint ${Math.round(row.paint)} ms, data ${Math.round(row.data)} ms`)
}
await close()
