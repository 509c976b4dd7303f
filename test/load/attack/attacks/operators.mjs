// What an operator would meet: logs, settings and the end of a process.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const main = new URL('../../../../dist/main.js', import.meta.url).pathname

/** Runs the command line until it ends or prints a text; gives its output and exit code. */
function runMain(args, env) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
  })
  const run = { child, output: '', exitCode: undefined }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data) => {
      run.output += data
    })
  }
  run.exited = new Promise((resolve) => {
    child.once('exit', (code) => {
      run.exitCode = code
      resolve(code)
    })
  })
  return run
}

/** Waits until the output of a process matches; gives the match, or undefined after ten seconds. */
async function waitFor(run, pattern) {
  for (let i = 0; i < 200 && run.exitCode === undefined; i += 1) {
    const match = pattern.exec(run.output)
    if (match) return match
    await sleep(50)
  }
  return pattern.exec(run.output) ?? undefined
}

const secret = 'a-secret-that-no-log-may-hold'

export const operatorAttacks = [
  {
    name: '7.14 an empty list of chains',
    async run() {
      const run = runMain(['serve', '--port', '0'], { INDEXERS: '' })
      const code = await Promise.race([run.exited, sleep(5_000, 'none')])
      run.child.kill()
      return {
        note: `exit code ${code}`,
        failures: code === 2 ? [] : ['it was not refused with exit code 2'],
      }
    },
  },
  {
    name: '7.15 a silent connection at shutdown',
    async run({ upstreams }) {
      const { indexers, routerUrl } = upstreams.start
      const run = runMain(['serve', '--port', '0'], {
        INDEXERS: indexers.map(({ chainId, url }) => `${chainId}=${url}`).join(),
        ROUTER_URL: routerUrl,
      })
      const [, port] = (await waitFor(run, /127\.0\.0\.1:(\d+)/)) ?? []
      const silent = connect(Number(port), '127.0.0.1').on('error', () => {})
      await sleep(300)
      const started = performance.now()
      run.child.kill('SIGTERM')
      const code = await Promise.race([run.exited, sleep(12_000, 'none')])
      const seconds = (performance.now() - started) / 1_000
      silent.destroy()
      run.child.kill('SIGKILL')
      return {
        note: `exit code ${code} after ${seconds.toFixed(1)} s`,
        failures: code === 0 && seconds < 4 ? [] : ['the connection held the shutdown'],
      }
    },
  },
  {
    name: '7.16 an upstream that repeats its key',
    victim: { query: '{ __typename }' },
    async run({ upstreams }) {
      const { indexers, routerUrl } = upstreams.start
      await upstreams.ask('setFaults', [
        [
          'harbor-1',
          '/indexer',
          { kind: 'status', status: 400, body: JSON.stringify({ message: `bad key ${secret}` }) },
        ],
      ])
      const run = runMain(['serve', '--port', '0'], {
        INDEXERS: indexers.map(({ chainId, url }) => `${chainId}=${url}`).join(),
        ROUTER_URL: routerUrl,
        LOG_LEVEL: 'trace',
        UPSTREAM_HEADERS: JSON.stringify({ 'harbor-1': { 'x-api-key': secret } }),
      })
      const [, port] = (await waitFor(run, /127\.0\.0\.1:(\d+)/)) ?? []
      const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ chain(chainId: \\"harbor-1\\") { blocks(first: 1) { nodes { hash } } } }"}',
      })
      const answer = await response.text()
      await sleep(300)
      run.child.kill('SIGKILL')
      await run.exited
      return {
        note: `${run.output.length} characters of log`,
        failures: [
          ...(run.output.includes(secret) ? ['the log has the key'] : []),
          ...(answer.includes(secret) ? ['the answer has the key'] : []),
        ],
      }
    },
  },
  {
    name: '7.12 suggestions without introspection',
    gateway: { introspection: false },
    async run({ send }) {
      const { text } = await send({ query: '{ chainz { name } }' })
      return {
        note: text.slice(0, 60),
        failures: text.includes('Did you mean') ? ['it suggests names'] : [],
      }
    },
  },
]
