import { expect, test } from 'vitest'
import { selectorOf } from '../../../../packages/words/src/actions/evmLogs.ts'
import { eventOf, events, eventsOf, functionOf, functions, valuesOf } from '../../src/values/contractWords.ts'

test('each selector and topic matches its signature', () => {
  for (const [selector, signature] of Object.entries(functions)) {
    expect(selectorOf(signature), signature).toBe(selector)
  }
  for (const [topic, signature] of Object.entries(events)) {
    expect(topic.slice(0, 10), signature).toBe(selectorOf(signature))
    expect(topic, signature).toMatch(/^0x[\da-f]{64}$/)
  }
})

test('functionOf names a known selector, and returns an unknown one', () => {
  expect(functionOf(`0xA9059CBB${'0'.repeat(128)}`)).toBe('transfer')
  expect(functionOf('0x12345678')).toBe('0x12345678')
  expect(functionOf('0x')).toBeUndefined()
})

test('eventOf names the event of a log', () => {
  const transfer = Object.entries(events).find(([, name]) => name.startsWith('Transfer('))
  expect(eventOf([transfer?.[0] ?? ''])).toBe('Transfer')
  expect(eventOf([])).toBeUndefined()
  expect(eventOf(null)).toBeUndefined()
})

test('valuesOf decodes addresses, numbers and bytes', () => {
  const word = (hex: string) => hex.padStart(64, '0')
  const address = '77fe0c22efad6b5d8e915e50b1d9bfc17cfeb817'
  expect(
    valuesOf({
      topics: ['0xname', `0x${word(address)}`],
      data: `0x${word('de0b6b3a7640000')}${'f'.repeat(64)}00`,
    }),
  ).toEqual([
    { kind: 'address', text: `0x${address}` },
    { kind: 'number', text: '1000000000000000000' },
    { kind: 'bytes', text: `0x${'f'.repeat(64)}` },
  ])
  expect(valuesOf({ topics: null, data: '0x' })).toEqual([])
})

test('eventsOf finds the events of a contract by its address or module', () => {
  const event = (type: string, key: string, value: string) => ({
    type,
    attributes: [{ key, value }],
  })
  const wasm = event('wasm', '_contract_address', 'init1abc')
  const move = event('move', 'type_tag', '0x77::dex::SwapEvent')
  const all = [wasm, move, event('wasm', '_contract_address', 'init1x'), event('move', 'type_tag', '0x7::a::B')]
  expect(eventsOf(all, ['init1ABC'])).toEqual([wasm])
  expect(eventsOf(all, ['0x77'])).toEqual([move])
  expect(eventsOf(null, ['0x77'])).toEqual([])
})
