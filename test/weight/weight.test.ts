import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../src/gateway.ts'
import { faultsOf, limitsOf, lowered, numbersOf, tooHeavy, type Ways, type Weight } from './limits.ts'

// How far the way of a request leads: for each kind of request, in how many files functions run, and how often the way from one
// function that it has not entered before to the next leads back to a file that it has left. A number may rise only with a reason in
// weight.json. `npm run weight` writes numbers that have fallen there.

const numbers = join(import.meta.dirname, 'weight.json')

/** Whether the numbers are written instead of compared. */
const isWriting = process.env.WEIGHT === 'write'

/** The functions of src that have run since the last look, in the order of their first calls, with the file of each. */
const functions = new Map<string, string>()
Object.assign(globalThis, {
  entered(file: string, place: number) {
    functions.set(`${file} ${place}`, file)
  },
})

const blockFields = 'height hash timestamp transactionCount gasUsed proposer { moniker }'
const page = (fields: string) =>
  `query ($after: String) { chain { blocks(first: 20, after: $after) { nodes { ${fields} } pageInfo { endCursor } } } }`
const transfer = (i: number) => `chainId: "harbor-1", hash: "${`${i}`.padStart(64, 'a')}"`

/** A document of each kind, of the request with this number. */
const kinds: Record<string, (i: number) => string> = {
  flat: () => page(blockFields),
  nested: () =>
    page(`${blockFields} transactions(first: 50) { nodes { hash isSuccessful gasUsed messages { typeUrl } } }`),
  status: (i) => `{ transfer(${transfer(i)}) { state } }`,
  live: (i) => `subscription { transfer(${transfer(i)}) { __typename } }`,
}

/** How often each kind of request is sent. What the first ones load stays for the others, the least of which counts. */
const requests = 24
const warmUp = 3

async function waysOf(): Promise<Ways> {
  const now = Date.UTC(2026, 10, 21, 12)
  await using sandbox = await startSandbox({ clock: () => now })
  await using gateway = await createGateway({
    chains: sandbox.indexers.map(({ chainId, url, name, vm }) => ({ chainId, url, name, vm })),
    router: { url: sandbox.routerUrl },
  })
  const post = (query: string, variables: object, accept: string) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query, variables }),
    })
  const ask = async (query: string, variables: object) => {
    const answer = await (await post(query, variables, 'application/json')).json()
    expect(answer).not.toHaveProperty('errors')
    return answer.data
  }
  const firstEvent = async (query: string) => {
    const { body } = await post(query, {}, 'text/event-stream')
    for await (const chunk of body ?? []) {
      if (Buffer.from(chunk).includes('"data":')) return
    }
    throw new Error('The subscription ended without an event.')
  }
  const ways: Record<string, { files: number; returns: number }> = {}
  for (const [kind, documentOf] of Object.entries(kinds)) {
    let after: string | null = null
    for (let i = 0; i < requests; i += 1) {
      if (kind === 'live') await ask(`mutation { trackTransfer(input: { ${transfer(i)} }) { transfer { state } } }`, {})
      functions.clear()
      if (kind === 'live') await firstEvent(documentOf(i))
      else after = (await ask(documentOf(i), { after })).chain?.blocks.pageInfo.endCursor ?? null
      // What runs right after a response belongs to it.
      await pause(20)
      const order = [...functions.values()]
      const stays = order.filter((file, j) => file !== order[j - 1])
      const files = new Set(stays).size
      // The order of what happens at once is not always the same.
      const before = i <= warmUp ? undefined : ways[kind]
      ways[kind] = {
        files: Math.min(files, before?.files ?? Number.POSITIVE_INFINITY),
        returns: Math.min(stays.length - files, before?.returns ?? Number.POSITIVE_INFINITY),
      }
    }
  }
  return ways
}

const readWeight = (): Weight => JSON.parse(readFileSync(numbers, 'utf8'))

test('no number of weight.json has grown without a reason', async () => {
  const weight = readWeight()
  const measured = await waysOf()
  expect(tooHeavy(weight, measured)).toEqual([])
  expect(faultsOf(weight)).toEqual([])
  if (isWriting) writeFileSync(numbers, `${JSON.stringify(lowered(weight, measured), null, 2)}\n`)
}, 120_000)

const light: Weight = { least: { flat: { files: 10, returns: 5 } }, raises: [] }
const why = 'A page of blocks enters the file that reads their prices.'
const raised: Weight = { ...light, raises: [{ number: 'flat.files', by: 2, why }] }
const ways = (files: number, returns = 5): Ways => ({ flat: { files, returns } })

test('a number above its limit fails, and the failure says what to add', () => {
  expect(tooHeavy(light, ways(10))).toEqual([])
  expect(tooHeavy(light, ways(12))).toEqual([
    'flat.files is 12. Make it lighter, or add {"number":"flat.files","by":2,"why":"…"} to "raises" and say why.',
  ])
  expect(tooHeavy(raised, ways(12))).toEqual([])
  expect(tooHeavy(raised, ways(13, 6))).toHaveLength(2)
  const returning = { flat: { files: 10, returns: 100 } }
  expect(tooHeavy({ least: returning, raises: [] }, ways(10, 110))).toEqual([])
  expect(tooHeavy({ least: returning, raises: [] }, ways(10, 111))).toHaveLength(1)
  expect(tooHeavy(light, { other: { files: 1, returns: 0 } })).toHaveLength(1)
})

test.each([
  ['without words', { why: 'needed' }, /without a reason/],
  ['by nothing', { by: 0 }, /raised by 0/],
  ['downward', { by: -1 }, /raised by -1/],
  ['of an unknown number', { number: 'flat.lines' }, /no number/],
])('a raise %s is a fault', (_what, fault, message) => {
  expect(faultsOf(raised)).toEqual([])
  const raise = { number: 'flat.files', by: 2, why, ...fault }
  expect(faultsOf({ ...light, raises: [raise] })).toEqual([expect.stringMatching(message)])
})

test('a number that falls below its limit takes its raises with it', () => {
  expect(lowered(raised, ways(11))).toEqual({ least: ways(11), raises: [] })
  expect(lowered(raised, ways(12, 4))).toEqual({ least: ways(10, 4), raises: raised.raises })
  expect(limitsOf(raised)).toEqual(numbersOf(ways(12)))
})
