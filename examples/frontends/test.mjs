// Each page in a browser, while its gateway is killed and started again: no event is missing, and none comes twice.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { patient } from '../../test/clients/gateway.mjs'

const root = new URL('../../', import.meta.url)
let gateway

/** Starts the gateway over its sandbox, on a free port the first time. Resolves to its URL. */
async function start(port = 0) {
  gateway = spawn(process.execPath, ['dist/main.js', '--sandbox', '--port', String(port)], {
    ...{ cwd: root, env: patient, stdio: ['ignore', 'ignore', 'pipe'] },
  })
  for await (const line of createInterface(gateway.stderr)) {
    const { url } = JSON.parse(line)
    if (url) return url
  }
  throw new Error('The gateway exited before it was ready.')
}

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const url = await start()
const pages = createServer(({ url: path }, reply) => {
  const [, name] = /^\/(client|urql|apollo)\b/.exec(path) ?? []
  const script = name && readFileSync(`__generated__/${name}.js`, 'utf8').replaceAll('</script', '<\\/script')
  reply.setHeader('content-type', 'text/html; charset=utf-8')
  reply.end(`<!doctype html><title>${name}</title><body><script type="module">${script}</script>`)
}).listen(0, '127.0.0.1')
await once(pages, 'listening')
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox'],
})
after(async () => {
  await browser.close()
  pages.close()
  gateway.kill()
})

const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

/** The newest transactions of the account, newest first: the chain of each, by its hash. */
async function activity() {
  const query = `{ account(address: "${address}") { activity(first: 100) { nodes { hash chain { chainId } } } } }`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { nodes } = (await response.json()).data.account.activity
  return new Map(nodes.map(({ hash, chain }) => [hash, chain.chainId]))
}

test('three pages live through a kill of the gateway', { timeout: 150_000 }, async (t) => {
  const shown = await Promise.all(
    ['client', 'urql', 'apollo'].map(async (name, index) => {
      const page = await browser.newPage()
      const said = []
      page.on('pageerror', (error) => said.push(String(error)))
      page.on('console', (message) => {
        // The browser itself reports connections that are refused.
        if (/WebSocket connection|Failed to load resource|React DevTools|Apollo DevTools/.test(message.text())) return
        if (['warning', 'error'].includes(message.type())) said.push(message.text())
      })
      const query = new URLSearchParams({
        ...{ gateway: url, chain: 'galley-1', address },
        hash: `${'c9'.repeat(30)}${index}001`,
      })
      await page.goto(`http://127.0.0.1:${pages.address().port}/${name}?${query}`)
      const heights = () =>
        page
          .locator('#blocks li')
          .allTextContents()
          .then((all) => all.map(Number))
      const hashes = () => page.locator('#activity li').evaluateAll((all) => all.map((row) => row.dataset.hash))
      const until = async (what, check) => {
        for (let turn = 0; turn < 600; turn++) {
          if (await check()) return
          await page.waitForTimeout(100)
        }
        assert.fail(`${name}: ${what} did not happen; ${said.join(' ')}`)
      }
      return { name, page, said, heights, hashes, until }
    }),
  )
  for (const { until, heights, hashes } of shown) {
    await until('a block and a page', async () => (await heights()).length > 1 && (await hashes()).length >= 10)
  }
  gateway.kill('SIGKILL')
  await once(gateway, 'exit')
  for (const { until, page } of shown) {
    await until('the loss', async () => (await page.locator('main').getAttribute('data-status')) !== 'live')
  }
  const before = await Promise.all(shown.map(async ({ heights }) => (await heights()).length))
  await start(new URL(url).port)
  for (const [index, { name, page, said, heights, hashes, until }] of shown.entries()) {
    await t.test(name, async () => {
      await until('blocks after the restart', async () => (await heights()).length > before[index] + 4)
      for (const rows of [20, 30]) {
        await until(`${rows} rows`, async () => {
          await page.locator('#activity').evaluate((list) => list.scrollTo(0, list.scrollHeight))
          return (await hashes()).length >= rows
        })
      }
      await until('the transfer', async () => (await page.locator('#transfer').textContent()) === 'COMPLETED_SUCCESS')
      // One of the subscriptions can still wait for its next attempt.
      await until(
        'the end of the loss',
        async () => (await page.locator('main').getAttribute('data-status')) === 'live',
      )
      const seen = await heights()
      assert.deepEqual(
        seen,
        seen.map((_, at) => seen[0] - at),
      )
      const rows = await hashes()
      const all = await activity()
      assert.deepEqual(
        rows.filter((hash) => !all.has(hash)),
        [],
      )
      // Transactions of different chains arrive in any order, whatever their times are.
      for (const chain of new Set(all.values())) {
        const ofChain = (hash) => all.get(hash) === chain
        const own = [...all.keys()].filter(ofChain)
        const seen = rows.filter(ofChain)
        const first = own.indexOf(seen[0])
        assert.deepEqual(seen, seen.length > 0 ? own.slice(first, first + seen.length) : [])
      }
      assert.deepEqual(said, [])
    })
  }
})
