import { expect, test } from 'vitest'
import { selectorOf } from '../../../../src/actions/evmLogs.ts'
import { eventOf, events, functionOf, functions } from '../../src/app/contractWords.ts'

test('each selector is the one of its signature', () => {
  for (const [selector, signature] of Object.entries(functions)) {
    expect(selectorOf(signature), signature).toBe(selector)
  }
  for (const [topic, signature] of Object.entries(events)) {
    expect(topic.slice(0, 10), signature).toBe(selectorOf(signature))
    expect(topic, signature).toMatch(/^0x[\da-f]{64}$/)
  }
})

test('call data has the name of its function, an unknown one its selector', () => {
  expect(functionOf(`0xA9059CBB${'0'.repeat(128)}`)).toBe('transfer')
  expect(functionOf('0x12345678')).toBe('0x12345678')
  expect(functionOf('0x')).toBeUndefined()
})

test('a log has the name of its event', () => {
  const transfer = Object.entries(events).find(([, name]) => name.startsWith('Transfer('))
  expect(eventOf([transfer?.[0] ?? ''])).toBe('Transfer')
  expect(eventOf([])).toBeUndefined()
  expect(eventOf(null)).toBeUndefined()
})
