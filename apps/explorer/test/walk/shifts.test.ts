import { beforeAll, expect, test } from 'vitest'
import { endVisit, startVisit } from './browser.ts'
import { type FoundNft, findNft, pagesOf } from './pages.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
let nft: FoundNft
beforeAll(async () => {
  nft = await findNft(walk.gateway)
})

/** The cumulative layout shift that counts as good, by https://web.dev/articles/cls. */
const most = 0.1

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly hadRecentInput: boolean
  readonly sources: readonly { readonly node?: Node }[]
}

/** Keeps the shifts of a page. They are summed over a whole visit: the windows of the standard only make it less. */
const observe = () => {
  const shifts: string[] = []
  let sum = 0
  new PerformanceObserver((list) => {
    for (const one of list.getEntries() as Shift[]) {
      if (one.hadRecentInput) continue
      sum += one.value
      const moved = one.sources.map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : '?'))
      shifts.push(`${one.value.toFixed(3)} ${moved.join(', ')}`)
    }
  }).observe({ type: 'layout-shift', buffered: true })
  Object.assign(window, { shifted: () => ({ sum, shifts }) })
}

const shifted = () => (window as never as { shifted: () => { sum: number; shifts: string[] } }).shifted()

/** Milliseconds that a gateway far away takes longer. */
const delays = [0, 400]

test.each([1_440, 390].flatMap((width) => delays.map((delay) => [width, delay] as const)))(
  'at %i px, with %i ms to the gateway, no page moves what was shown',
  async (width, delay) => {
    const bad: string[] = []
    for (const [path, text] of pagesOf(nft)) {
      const visit = await startVisit(walk.browser)
      const { page } = visit
      await page.setViewportSize({ width, height: 900 })
      await page.addInitScript(observe)
      if (delay > 0) {
        await page.route('**/graphql', async (route) => {
          await new Promise((resolve) => setTimeout(resolve, delay))
          await route.continue().catch(() => {})
        })
      }
      await page.goto(walk.gateway.origin + path)
      await visit.shows(text)
      await page.waitForFunction(() => !document.querySelector('main .waiting'))
      // What moved is reported with the next frame.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
      const { sum, shifts } = await page.evaluate(shifted)
      if (sum > most) bad.push(`${path}: ${sum.toFixed(3)} by ${shifts.join('; ')}`)
      await endVisit(visit)
    }
    expect(bad).toEqual([])
  },
  180_000,
)
