import { describe, expect, test } from 'vitest'
import { actionKinds, titleOf } from '../../src/actions/kinds.ts'
import { summaryOf, summaryParts } from '../../src/actions/summary.ts'
import { bytesOf } from '../../src/addresses/bytes.ts'
import { bridgeRows } from './bridgeRows.ts'
import { cosmosRows } from './cosmosRows.ts'
import { evmRows } from './evmRows.ts'
import { ibcRows } from './ibcRows.ts'
import { initiaRows } from './initiaRows.ts'
import { moveRows } from './moveRows.ts'
import { packetRows } from './packetRows.ts'
import { actionsOfRow, type Row, summariesOf } from './row.ts'
import { sentencesPage } from './sentencesPage.ts'
import { standardRows } from './standardRows.ts'
import { wasmRows } from './wasmRows.ts'

const tables = {
  'Modules of every Cosmos chain': cosmosRows,
  'Standard modules, by the fields of messages': standardRows,
  Bridges: bridgeRows,
  'IBC packets': ibcRows,
  'IBC packets in all their forms': packetRows,
  'Move chains': moveRows,
  'Protocols of Initia': initiaRows,
  'Wasm chains': wasmRows,
  'EVM chains': evmRows,
}
const rows: readonly Row[] = Object.values(tables).flatMap((table) => Object.values(table))

describe.each(Object.entries(tables))('%s', (_title, table) => {
  test.each(Object.entries(table))('%s', (_name, row) => {
    expect(summariesOf(row)).toEqual(row.actions.map(({ summary }) => summary))
    expect(actionsOfRow(row)).toMatchObject(
      row.actions.map(({ kind, parts }) => ({ kind, isSuccessful: !row.isFailed, ...parts })),
    )
  })
})

test('the parts of a sentence are the sentence, with words between what they name', () => {
  const actions = rows.flatMap(actionsOfRow)
  for (const action of actions) {
    const parts = summaryParts(action)
    const summary = summaryOf(action)
    expect(parts.map(({ text }) => text).join('')).toBe(summary)
    const places = parts.flatMap(({ names }, index) => (names ? [] : [index]))
    expect(places.every((place, index) => place - (places[index - 1] ?? -2) > 1, summary)).toBe(true)
    for (const { text, names } of parts) {
      // An address is cut in its middle. What is none is quoted.
      const whole = names && ('address' in names ? names.address : 'remoteAddress' in names ? names.remoteAddress : '')
      if (whole && !text.startsWith('“'))
        expect([whole.slice(0, 6), whole.slice(-4)]).toEqual([text.slice(0, 6), text.slice(-4)])
      if (names && 'address' in names) expect(bytesOf(names.address), summary).not.toBeNull()
      // No address is left among the words.
      if (!names)
        expect(text).not.toMatch(/(?<!“[^”]*)\b(0x[0-9a-f]{6}|[a-z]+1[02-9ac-hj-np-z]{6})…[02-9a-z]{6}(?!::)\b/)
    }
  }
})

test('the table has a row for each kind of action', () => {
  const kinds = new Set(rows.flatMap(({ actions }) => actions.map(({ kind }) => kind)))
  expect([...kinds].sort()).toEqual(Object.keys(actionKinds).sort())
})

test('titles have two or three words', () => {
  const titles = rows.flatMap((row) => actionsOfRow(row).map(titleOf))
  for (const title of titles) expect(title.split(' ').length, title).toBeOneOf([2, 3])
  expect(titleOf({ kind: 'NFT_TRANSFER', isSuccessful: false })).toBe('Failed NFT transfer')
  expect(titleOf({ kind: 'SEND', isSuccessful: false })).toBe('Failed coin transfer')
})

test('docs/actions.md has the sentences of the table', async () => {
  expect(rows.flatMap(({ actions }) => actions).length).toBeGreaterThanOrEqual(60)
  await expect(sentencesPage(tables)).toMatchFileSnapshot('../../../../docs/actions.md')
})
