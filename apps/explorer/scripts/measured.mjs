// What the scripts measure: the built gateway over the sandbox, and a browser.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

/** An account of the sandbox with records on all its chains. */
export const account = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

export const print = (line) => process.stdout.write(`${line}\n`)

/** Starts both. `close` ends the process as well. */
export async function startMeasured() {
  const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url))
  const gateway = spawn(process.execPath, [main, '--sandbox'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  process.on('exit', () => gateway.kill())
  let origin = ''
  for await (const line of createInterface({ input: gateway.stderr })) {
    const { msg, url } = JSON.parse(line)
    if (msg !== 'listening') continue
    origin = new URL(url).origin
    break
  }
  gateway.stderr.resume()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const close = async () => {
    await browser.close()
    process.exit()
  }
  return { origin, browser, close }
}

/** The tools of a page whose processor is slowed down four times, as a phone's is. */
export async function slowDown(page) {
  const tools = await page.context().newCDPSession(page)
  await tools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return tools
}
