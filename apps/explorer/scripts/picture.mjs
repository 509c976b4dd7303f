// Takes the picture of the home page for the README and the docs: `node scripts/picture.mjs`, over the built gateway and
// explorer.
import { fileURLToPath } from 'node:url'
import { print, startMeasured } from './measured.mjs'

const file = fileURLToPath(new URL('../../../docs/explorer.png', import.meta.url))

const { origin, browser, close } = await startMeasured()
const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, locale: 'en-US', colorScheme: 'light' })
await page.goto(origin, { waitUntil: 'networkidle' }).catch(() => {})
// Both lists are full, their sentences have come, and a block has arrived while the page is open.
await page.waitForFunction(() => document.querySelectorAll('tbody tr').length > 20)
const newest = () => page.locator('.card .big a').first().textContent()
const first = await newest()
while ((await newest()) === first) await page.waitForTimeout(200)
await page.screenshot({ path: file })
print(file)
await close()
