// The pages that the guides end with, in Chromium.
import { createRequire } from 'node:module'
import { start, until } from './processes.mjs'

const explorer = new URL('../../apps/explorer/', import.meta.url)
const { chromium } = createRequire(explorer)('playwright-core')

export const openBrowser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  })

/** Serves a built project, and opens it. */
export async function open(browser, name, folder, port) {
  const args = ['vite', 'preview', '--host', '127.0.0.1', '--port', String(port), '--strictPort']
  start('npx', args, { cwd: folder })
  const url = `http://127.0.0.1:${port}/`
  await until(`${name}: the server of the page`, () => fetch(url).catch(() => undefined))
  const page = await browser.newPage()
  const faults = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(url)
  const wait = (what, check) =>
    until(`${name}: ${what}`, () => {
      if (faults.length > 0) throw new Error(`${name}: ${faults.join(' ')}`)
      return check()
    })
  const rows = page.locator('#activity li')
  return {
    name,
    wait,
    /** The heights that are shown, the newest first. */
    async heights() {
      const texts = await page.locator('ol').first().locator('li').allTextContents()
      return texts.filter((text) => /^\d+$/.test(text)).map(Number)
    },
    /** Waits for rows, asks for more as a visitor does, and waits for these. */
    async readOn() {
      await wait('rows of activity', async () => (await rows.count()) >= 10)
      const first = await rows.count()
      const more = page.getByRole('button', { name: 'More' })
      await wait('older rows', async () => {
        if ((await rows.count()) > first) return true
        if ((await more.count()) > 0) await more.click()
        else await rows.last().scrollIntoViewIfNeeded()
        return false
      })
    },
  }
}
