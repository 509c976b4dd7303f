import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../../src/gateway.ts'
import type { Gateway } from '../../../src/server/gatewayOptions.ts'
import { type Data, now } from '../../support/world.ts'

// The questions of docs/agents.md, asked of the sandbox.

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'agents.md'), 'utf8')
const row = /^\| (.+?) \| `(\w+) (\{.*?\})` \| `([\w.]+)` = `(.+?)` \|$/gm
const questions = [...page.matchAll(row)].map(([, question, tool, args, path, answer]) => ({
  ...{ question, tool: tool ?? '', args: JSON.parse(args ?? ''), path: path ?? '', answer },
}))

let sandbox: Sandbox
let gateway: Gateway
let client: Client

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => now })
  gateway = await createGateway({
    chains: sandbox.indexers,
    router: { url: sandbox.routerUrl },
    mcp: true,
    // Each chain is read for the first time, which takes long on a busy machine.
    limits: { timeoutMs: 60_000, upstreamTimeoutMs: 30_000 },
  })
  client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url)))
})

afterAll(async () => {
  await client.close()
  await gateway.close()
  await sandbox.close()
})

test('there are at least twenty questions', () => {
  expect(questions.length).toBeGreaterThanOrEqual(20)
  expect(page.match(/\n\| .*\?.* \|/g)).toHaveLength(questions.length)
})

test.each(questions)('$question', async ({ tool, args, path, answer }) => {
  const { structuredContent }: Data = await client.callTool({ name: tool, arguments: args })
  const value = path.split('.').reduce((found: Data, key) => found?.[key], structuredContent)
  expect(String(value)).toBe(answer)
})

test('the fees of a week are summed over pages', async () => {
  const week = now - 7 * 24 * 3_600_000
  let args: Data = { address: 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3', signedOnly: true }
  const times: number[] = []
  const fees: string[] = []
  while (args && (times.at(-1) ?? now) >= week && times.length < 50) {
    const { structuredContent }: Data = await client.callTool({
      ...{ name: 'account_activity', arguments: args },
    })
    for (const { timestamp, fee } of structuredContent.transactions) {
      times.push(Date.parse(timestamp))
      fees.push(fee)
    }
    args = structuredContent.next?.arguments
  }
  expect(times).toEqual(times.toSorted((a, b) => b - a))
  for (const fee of fees) expect(fee).toMatch(/^[\d.]+ \S+$/)
})

test('the total of an account, and what it leaves out, are those of the graph', async () => {
  const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
  const query = `{ account(address: "${address}") { balances { usdValue excluded { reason count } } } }`
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const { balances }: Data = ((await response.json()) as Data).data.account
  const { structuredContent }: Data = await client.callTool({
    ...{ name: 'account_overview', arguments: { address } },
  })
  expect(structuredContent.totalValue).toBe(`$${balances.usdValue}`)
  expect(structuredContent.notInTotal).toMatchObject(balances.excluded)
  expect(structuredContent.notInTotal.length).toBeGreaterThan(0)
})
