import { expect, test } from 'vitest'
import { summaryOf } from '../../src/actions/summary.ts'
import { actionsOf } from '../support/atOnce.ts'
import standardTypes from './standardTypes.json' with { type: 'json' }

// The messages that the Msg services of these modules accept, also of older versions that chains still run.
const types = Object.entries(standardTypes).flatMap(([module, names]) => names.map((name) => `${module}.${name}`))

const described = (type: string, isSuccessful = true) =>
  actionsOf({ isSuccessful, messages: [{ '@type': `/${type}` }], events: [] })

test.each(types)('%s has a kind and a sentence', (type) => {
  const [action, ...others] = described(type)
  if (!action) throw new Error('It has no action.')
  expect(others).toEqual([])
  expect(action.kind).not.toBe('UNKNOWN')
  const words = summaryOf(action)
  expect(words).toMatch(/^[A-Z][a-z]+( [\w:, 'NFT]+)?$/)
  expect(words).not.toMatch(/Msg| {2}|[{}[\]|]/)
  const [failed] = described(type, false)
  expect(failed && summaryOf(failed)).toMatch(/^Tried to [a-z]+/)
})

test('IBC messages of governance are chain updates', () => {
  const kinds = types
    .filter((type) => /^ibc\..*(MsgUpdateParams|MsgRecoverClient|SoftwareUpgrade)$/.test(type))
    .flatMap((type) => described(type).map(({ kind }) => kind))
  expect(kinds.length).toBeGreaterThan(5)
  expect(new Set(kinds)).toEqual(new Set(['CHAIN_UPDATE']))
})
