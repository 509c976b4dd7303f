import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'

// A client that closes the request of a tool ends what was asked of others for it.

/** A service that never answers. */
async function startSilent() {
  let begin = () => {}
  let end = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const server = createServer((_request, response) => {
    begin()
    response.on('close', end)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ...{ url: `http://127.0.0.1:${port}`, begun, ended },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const hash = 'A'.repeat(64)

test.each([
  ['transfer_status', { chainId: 'osmosis-1', hash }],
  ['transaction', { chainId: 'roll-1', hash }],
])('a closed request ends what %s asks of others', async (name, args) => {
  await using silent = await startSilent()
  const chains = [{ chainId: 'roll-1', name: 'Roll', url: silent.url }]
  const gateway = await createGateway(
    { chains, router: { url: silent.url }, mcp: true },
    { server: { grace: 0, drain: 0 } },
  )
  const leave = new AbortController()
  const read = fetch(new URL('/mcp', gateway.url), {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    signal: leave.signal,
  }).then((response) => response.text())
  await silent.begun
  leave.abort()
  await expect(read).rejects.toThrow()
  await silent.ended
  expect(gateway.shared.poller.size).toBe(0)
  await gateway.close()
})
