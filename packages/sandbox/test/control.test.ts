import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createControl } from '../src/control.ts'
import { createFaults } from '../src/faults.ts'
import { startSandbox } from '../src/sandbox.ts'

const post = (url: string, body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) })

test('the control breaks one service until it is mended', async () => {
  await using sandbox = await startSandbox()
  const [harbor, galley] = sandbox.indexers
  const status = async (url = '') => (await fetch(`${url}/status`)).status
  const broken = await post(sandbox.controlUrl, { service: 'galley-1', kind: 'error' })
  expect(await broken.json()).toEqual({
    services: ['harbor-1', 'galley-1', 'lantern-1', 'router', 'prices'],
    kinds: ['latency', 'error', 'hang', 'garbage'],
    faults: [{ service: 'galley-1', kind: 'error', secondsLeft: 60 }],
  })
  expect([await status(harbor?.url), await status(galley?.url)]).toEqual([200, 500])
  const mended = await post(sandbox.controlUrl, { service: 'galley-1', kind: null })
  expect((await mended.json()).faults).toEqual([])
  expect(await status(galley?.url)).toBe(200)
})

describe('the fault of a service', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('ends after its time, and a second fault replaces it', async () => {
    const faults = createFaults()
    const control = createControl({ faults, services: () => ['a-1'] })
    const send = (body: object) =>
      control.handler({
        ...{ method: 'POST', path: '/', query: new URLSearchParams(), headers: {} },
        body: JSON.stringify({ service: 'a-1', ...body }),
      })
    await send({ kind: 'hang', seconds: 10 })
    await send({ kind: 'garbage', seconds: 30 })
    await vi.advanceTimersByTimeAsync(20_000)
    expect(faults.take('a-1', '/blocks')?.kind).toBe('garbage')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(faults.take('a-1', '/blocks')).toBeUndefined()
  })
})
