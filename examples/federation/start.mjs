// Starts a graph of users, composes it with a Portolan that runs, and serves both through Hive Gateway.
//
//   FEDERATION=true npm start            (in the folder of Portolan)
//   npm install && npm start             (here; PORTOLAN_URL, PORT and HOST are optional)
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeServices } from '@theguild/federation-composition'
import { parse } from 'graphql'
import { startUsers, sdl as usersSdl } from './users.mjs'

/** The schema of a Portolan as a subgraph. */
export async function portolanSdl(url) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  })
  const { data, errors } = await response.json()
  if (!data) throw new Error(`${errors[0].message} Start Portolan with FEDERATION=true.`)
  return data._service.sdl
}

/** The two graphs as composers take them. */
export const servicesOf = (sdl, portolanUrl, usersUrl) => [
  { name: 'portolan', typeDefs: parse(sdl), url: portolanUrl },
  { name: 'users', typeDefs: parse(usersSdl), url: usersUrl },
]

/** Starts everything. Resolves to the URL of the joined graph. */
export async function start(portolanUrl, port, host = '127.0.0.1') {
  const users = await startUsers()
  const services = servicesOf(await portolanSdl(portolanUrl), portolanUrl, users.url)
  const { errors, supergraphSdl } = composeServices(services)
  if (!supergraphSdl) throw new Error(errors.map(({ message }) => message).join('\n'))
  const folder = mkdtempSync(join(tmpdir(), 'supergraph-'))
  writeFileSync(join(folder, 'supergraph.graphql'), supergraphSdl)
  const bin = new URL('node_modules/@graphql-hive/gateway/dist/bin.js', import.meta.url).pathname
  const args = ['supergraph', 'supergraph.graphql', '--host', host, '--port', String(port)]
  const hive = spawn(process.execPath, [bin, ...args, '--fork', '1'], {
    cwd: folder,
    stdio: 'pipe',
  })
  let log = ''
  for (const stream of [hive.stdout, hive.stderr]) {
    stream.on('data', (part) => {
      log += part
    })
  }
  const stop = () => {
    hive.kill()
    users.server.close()
    rmSync(folder, { recursive: true, force: true })
  }
  for (let attempt = 0; attempt < 100 && hive.exitCode === null; attempt += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthcheck`).catch(() => undefined)
    if (answer?.ok) return { url: `http://127.0.0.1:${port}/graphql`, users, stop }
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  stop()
  throw new Error(`Hive Gateway does not start: ${log}`)
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { PORTOLAN_URL = 'http://127.0.0.1:4000/graphql', PORT = '4010', HOST } = process.env
  const { url, stop } = await start(PORTOLAN_URL, PORT, HOST)
  process.once('SIGINT', stop)
  process.stdout.write(`Both graphs are at ${url}. Try:

  { users { nodes { name account { balances { usdValue } activity(first: 3) { nodes { hash } } } } } }\n`)
}
