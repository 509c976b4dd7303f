import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../src/gateway.ts'

const json = { 'content-type': 'application/json' }
const post = (url: string, body: unknown, headers: Record<string, string> = json) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })

/** A gateway over a sandbox, and the URL at which pages break its services. */
async function open({ isSandbox }: { isSandbox: boolean }) {
  const sandbox = await startSandbox()
  const gateway = await createGateway({
    ...{ chains: sandbox.indexers, router: { url: sandbox.routerUrl }, explorer: false },
    ...{ isSandbox, sandboxControlUrl: sandbox.controlUrl },
  })
  return {
    ...{ sandbox, gateway },
    url: new URL('/sandbox/faults', gateway.url).href,
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await sandbox.close()
    },
  }
}

describe('faults of a sandbox service', () => {
  test('break one service until removed, and errors name it', async () => {
    await using world = await open({ isSandbox: true })
    const [harbor, galley] = world.sandbox.indexers
    const broken = await post(world.url, { service: 'galley-1', kind: 'error' })
    expect((await broken.json()).faults).toMatchObject([{ service: 'galley-1', kind: 'error' }])
    const status = async (url = '') => (await fetch(`${url}/status`)).status
    expect(await status(galley?.url)).toBe(500)
    expect(await status(harbor?.url)).not.toBe(500)
    const answer = await post(world.gateway.url, {
      query: '{ chains { chainId blocks(first: 1) { nodes { height } } } }',
    })
    const { data, errors } = await answer.json()
    const without = data.chains.filter(({ blocks }: { blocks: unknown }) => blocks === null)
    expect(without.map(({ chainId }: { chainId: string }) => chainId)).toEqual(['galley-1'])
    expect(errors[0].extensions).toMatchObject({
      ...{ code: 'UPSTREAM_UNAVAILABLE', service: 'galley-1' },
    })
    const mended = await post(world.url, { service: 'galley-1', kind: null })
    expect((await mended.json()).faults).toEqual([])
    expect(await status(galley?.url)).not.toBe(500)
  })

  test('are set by JSON only, and not from other origins', async () => {
    await using world = await open({ isSandbox: true })
    const text = { 'content-type': 'text/plain' }
    const body = { service: 'galley-1', kind: 'error' }
    expect((await post(world.url, body, text)).status).toBe(415)
    const asked = await fetch(world.url, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example' },
    })
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([405, null])
    const state = await (await fetch(world.url)).json()
    expect(state).toEqual({
      services: ['harbor-1', 'galley-1', 'lantern-1', 'router', 'prices'],
      kinds: ['latency', 'error', 'hang', 'garbage'],
      faults: [],
    })
  })

  test.each([
    [{ service: 'none', kind: 'error' }, 400],
    [{ service: 'galley-1', kind: 'explode' }, 400],
    [{ service: 'galley-1', kind: 'error', seconds: 9_999 }, 400],
    [null, 400],
    [{ service: 'x'.repeat(2_000), kind: 'error' }, 413],
  ])('are not set by %j', async (body, status) => {
    await using world = await open({ isSandbox: true })
    expect((await post(world.url, body)).status).toBe(status)
    expect((await (await fetch(world.url)).json()).faults).toEqual([])
  })

  test('get status 503 once the sandbox is closed', async () => {
    await using world = await open({ isSandbox: true })
    await world.sandbox.close()
    const answer = await fetch(world.url)
    expect(answer.status).toBe(503)
    const [error] = (await answer.json()).errors
    expect(error).toMatchObject({
      message: 'The sandbox does not answer.',
      extensions: { code: 'UPSTREAM_UNAVAILABLE' },
    })
  })

  test('are set again if the connection closes during the request', async () => {
    await using world = await open({ isSandbox: true })
    const sent: string[] = []
    const control = createServer((request, response) => {
      sent.push(request.method ?? '')
      if (sent.length === 1) request.socket.destroy()
      else response.end('{"faults": []}')
    })
    await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
    const { port } = control.address() as AddressInfo
    await using gateway = await createGateway({
      ...{ chains: world.sandbox.indexers, explorer: false, isSandbox: true },
      sandboxControlUrl: `http://127.0.0.1:${port}`,
    })
    const url = new URL('/sandbox/faults', gateway.url).href
    const answer = await post(url, { service: 'galley-1', kind: 'error' })
    expect([answer.status, await answer.json()]).toEqual([200, { faults: [] }])
    expect(sent).toEqual(['POST', 'POST'])
    control.close()
  })

  test('get status 404 if the network is not simulated', async () => {
    await using world = await open({ isSandbox: false })
    expect((await fetch(world.url)).status).toBe(404)
    expect((await post(world.url, { service: 'galley-1', kind: 'error' })).status).toBe(404)
    expect(world.sandbox.faults.take('galley-1', '/')).toBeUndefined()
  })
})
