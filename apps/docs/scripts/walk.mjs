// Opens pages of the site in Chromium, over the built gateway: nothing may be blocked or missing, nothing may come from
// another host, axe-core may find nothing, and the search has to find. The browser is that of the explorer's tests.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const require = createRequire(new URL('../../explorer/package.json', import.meta.url))
const { chromium } = require('playwright-core')
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

const paths = [
  ...['', 'guides/react', 'activity', 'changelog', 'operating/settings'],
  ...['schema/Query', 'schema/enums', 'packages/mcp'],
]
const looks = [
  { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
]
/** Words that readers look for, and what the title of the first page has that the search finds. */
const searches = { next_key: 'Pagination', docker: 'Docker', angular: 'Angular', stuck: 'My transfer is stuck' }
/** Bytes of compressed scripts that a page of the docs loads, at most, and those of GraphiQL, most of them an editor. */
const scriptBudget = 100_000
const graphiqlBudget = 2_500_000

/** Data in the page itself, and scripts that GraphiQL starts as workers. */
const isOwn = (target, { origin }) => [origin, `blob:${origin}`, 'data:'].some((start) => target.startsWith(start))

const gateway = spawn(process.execPath, ['dist/main.js', '--sandbox', '--port', '0'], {
  cwd: root,
  env: {},
  stdio: ['ignore', 'ignore', 'pipe'],
})
process.on('exit', () => gateway.kill())

async function urlOf(lines) {
  for await (const line of lines) {
    const { url } = JSON.parse(line)
    if (url) return url
  }
  throw new Error('The gateway exited before it was ready.')
}

/** Opens a page, and returns it with all faults that it reported. */
async function open(context, url, { budget = scriptBudget, until = 'networkidle' } = {}) {
  const page = await context.newPage()
  const wrong = []
  let scripts = 0
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('request', (request) => {
    if (!isOwn(request.url(), url)) wrong.push(`a request to ${request.url()}`)
  })
  page.on('response', async (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} for ${response.url()}`)
    if (response.request().resourceType() !== 'script') return
    scripts += Number(await response.headerValue('content-length'))
  })
  await page.goto(url.href, { waitUntil: until })
  assert.ok(scripts > 0 && scripts <= budget, `${url.pathname} loads ${scripts} bytes`)
  return { page, wrong }
}

/** The findings of axe-core. It comes in by the debugger, since the policy of the page runs no other script. */
async function violationsOf(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Runtime.evaluate', { expression: `${axe};0` })
  const { violations } = await page.evaluate(() => globalThis.axe.run())
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`)
}

async function search(page) {
  await page.keyboard.press('Control+k')
  for (const [word, title] of Object.entries(searches)) {
    await page.fill('#localsearch-input', word)
    await page.locator('.VPLocalSearchBox .result').first().filter({ hasText: title }).waitFor()
  }
}

const url = await urlOf(createInterface(gateway.stderr))
gateway.stderr.resume()
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
})
for (const look of looks) {
  const context = await browser.newContext(look)
  for (const path of paths) {
    const { page, wrong } = await open(context, new URL(`/docs/${path}`, url))
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= look.viewport.width, `/docs/${path} is ${width} pixels wide`)
    assert.deepEqual([...wrong, ...(await violationsOf(page))], [], `/docs/${path}`)
    if (path === '' && look.colorScheme === 'light') await search(page)
    await page.close()
  }
  const { page, wrong } = await open(context, new URL('/graphql', url), {
    budget: graphiqlBudget,
    until: 'load',
  })
  await page.waitForSelector('.graphiql-execute-button')
  assert.deepEqual([...wrong, ...(await violationsOf(page))], [], 'GraphiQL')
  await page.click('.graphiql-execute-button')
  await page.waitForSelector('.graphiql-response .view-lines [class^=mtk]')
  await context.close()
}
await browser.close()
gateway.kill()
process.stdout.write(`${paths.length} pages of the docs are in order, and GraphiQL is.\n`)
