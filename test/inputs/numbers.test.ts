import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The groups of inputs, and how many each has. */
const groups = { A: 47, B: 22, C: 19, D: 16, E: 23, W: 27, U: 40 }

const folders = [import.meta.dirname, `${import.meta.dirname}/../contract/inputs`]
const sources = folders.flatMap((folder) =>
  readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8')),
)
/** The name of each test and row begins with the number of its input. */
const numbers = sources.flatMap((source) =>
  [...source.matchAll(/^ *(?:async |test\()?'([A-Z]\d+) /gm)].map(([, number]) => number),
)

test.each(Object.entries(groups))('each input of group %s is tested: %i in all', (group, size) => {
  const expected = Array.from({ length: size }, (_, index) => `${group}${index + 1}`)
  const tested = new Set(numbers.filter((number) => number?.startsWith(group)))
  expect([...tested].sort()).toEqual(expected.sort())
})
