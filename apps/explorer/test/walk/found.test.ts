import { expect, test } from 'vitest'
import { account, hash } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()

const finds = (text: string): Promise<boolean> =>
  walk.visit.page.evaluate((wanted) => {
    getSelection()?.removeAllRanges()
    return (window as never as { find: (text: string) => boolean }).find(wanted)
  }, text)

test.each([1_280, 390])('at %i px, a shortened hash is found and selected as a whole', async (width) => {
  const { page, faults } = walk.visit
  await page.setViewportSize({ width, height: 900 })
  for (const path of [`/address/${account}`, '/chain/galley-1', `/tx/${hash}`]) {
    await page.goto(walk.gateway.origin + path)
    const shorts = page.locator('.middle-ellipsis')
    await shorts.first().waitFor()
    const short = page.locator('td .middle-ellipsis').last()
    await short.waitFor()
    // At once, since new rows move a list.
    const [whole = '', text] = await short.evaluate((it) => [it.getAttribute('title') ?? '', it.textContent])
    expect(whole.length).toBeGreaterThan(30)
    expect(text, path).toBe(whole)
    expect(await finds(whole), path).toBe(true)
    expect(await page.evaluate(() => getSelection()?.toString()), path).toBe(whole)
    // Its middle takes no room.
    const box = await short.boundingBox()
    expect(box?.width, path).toBeLessThan(200)
  }
  expect(faults).toEqual([])
})
