import { expect, test } from 'vitest'
import { createRegistryReload } from '../../../src/app/config/registryReload.ts'
import { fakeClock } from '../../support/fakeClock.ts'

/** A reload every ten minutes, of texts that a test sets. */
function setUp(interval = 600_000) {
  const clock = fakeClock()
  const state = { text: 'first', applied: [] as string[], lines: [] as string[], reads: 0 }
  const serveLatest = async (problems: string[]) => {
    state.reads += 1
    if (state.text === '') problems.push('CHAIN_REGISTRY could not be read: no such file.')
    else if (state.text === 'faulty') throw new Error('The default chain a-1 is not one of the chains.')
    else state.applied.push(state.text)
  }
  const log = {
    info: (_details: unknown, message?: string) => void state.lines.push(String(message)),
    warn: (details: unknown, message?: string) => void state.lines.push(`${message} ${JSON.stringify(details)}`),
  }
  const reload = createRegistryReload({ serveLatest, serveAll: serveLatest }, log, clock, () => interval)
  return { clock, state, reload }
}

test('the chain registry is reloaded by interval, and on request', async () => {
  const { clock, state, reload } = setUp()
  await clock.advance(599_999)
  expect(state.reads).toBe(0)
  await clock.advance(1)
  expect(state.applied).toEqual(['first'])
  state.text = 'second'
  await Promise.all([reload.reload(), reload.reload()])
  expect(state.applied).toEqual(['first', 'second'])
  await clock.advance(600_000)
  expect(state.reads).toBe(3)
  reload.stop()
  await clock.advance(6_000_000)
  expect(state.reads).toBe(3)
})

test('an invalid registry changes nothing, and is reloaded after 30 seconds', async () => {
  const { clock, state } = setUp()
  state.text = ''
  await clock.advance(600_000)
  state.text = 'faulty'
  await clock.advance(30_000)
  expect(state.applied).toEqual([])
  expect(state.lines).toEqual([
    expect.stringContaining('stay as they are {"problems":["CHAIN_REGISTRY could not be read'),
    expect.stringContaining('The default chain a-1 is not one of the chains.'),
  ])
  state.text = 'second'
  await clock.advance(29_999)
  expect(state.applied).toEqual([])
  await clock.advance(1)
  expect(state.applied).toEqual(['second'])
})

test('without an interval, the registry is reloaded only on request', async () => {
  const { clock, state, reload } = setUp(0)
  await clock.advance(6_000_000)
  expect(state.reads).toBe(0)
  await reload.reload()
  expect(state.applied).toEqual(['first'])
  await clock.advance(6_000_000)
  expect(state.reads).toBe(1)
})
