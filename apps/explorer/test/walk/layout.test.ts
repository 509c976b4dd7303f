import { beforeAll, expect, test } from 'vitest'
import { endVisit, screens, setScreen, startVisit } from './browser.ts'
import { type FoundNft, findNft, pagesOf } from './pages.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
let nft: FoundNft
beforeAll(async () => {
  nft = await findNft(walk.gateway)
})

/** Pixels that a finger needs. */
const target = 24

/** What a reader cannot see or press: parts wider than their place, and targets that are too small. Those in a sentence are as high as its lines. */
const findFlaws = (least: number): readonly string[] => {
  const flaws: string[] = []
  if (document.documentElement.scrollWidth > innerWidth) flaws.push('the page scrolls sideways')
  for (const part of document.querySelectorAll('main .scroll')) {
    if (part.scrollWidth > part.clientWidth + 1) flaws.push(`${part.getAttribute('aria-label')} is cut`)
  }
  for (const one of document.querySelectorAll('header :is(a, button), main :is(a, button, select, input, summary)')) {
    const { width, height } = one.getBoundingClientRect()
    const isInText = one.closest('.sentence, p:not(.note, .big, .story)') !== null
    if (isInText || width === 0 || one.closest('.unseen, details:not([open]) > :not(summary)')) continue
    // Half a pixel is lost where a line is not as high as its text.
    if (width < least - 0.5 || height < least - 0.5)
      flaws.push(`${Math.round(width)} × ${Math.round(height)}: ${one.outerHTML}`)
  }
  return flaws
}

test.each(screens)(
  'at %i px, %s: no page is cut, and all targets are large enough',
  async (...screen) => {
    for (const [path, text] of pagesOf(nft)) {
      const visit = await startVisit(walk.browser)
      await setScreen(visit.page, screen)
      await visit.page.emulateMedia({ reducedMotion: 'reduce' })
      await visit.page.goto(walk.gateway.origin + path)
      await visit.shows(text)
      await visit.page.waitForFunction(() => !document.querySelector('main .waiting'))
      expect(await visit.page.evaluate(findFlaws, target), path).toEqual([])
      await endVisit(visit)
    }
  },
  180_000,
)
