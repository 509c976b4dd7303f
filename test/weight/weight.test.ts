import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { createGateway } from '../../src/gateway.ts'

// How far the way of a request leads. The numbers in weight.json may only fall. `npm run weight` writes them.

const numbers = join(import.meta.dirname, 'weight.json')

/** Whether the numbers are written instead of compared. */
const isWriting = process.env.WEIGHT === 'write'

interface Weight {
  /**
   * For each kind of request, in how many files functions run, and how often the way from one function that it has not
   * entered before to the next leads back to a file that it has left.
   */
  readonly ways: Readonly<Record<string, { readonly files: number; readonly returns: number }>>
}

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

async function waysOf(): Promise<Weight['ways']> {
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

/** The numbers of a weight by their names, such as `rooms.wire.lines`. */
const flat = (weight: object, name = ''): [string, number][] =>
  Object.entries(weight).flatMap(([key, value]): [string, number][] =>
    typeof value === 'number' ? [[`${name}${key}`, value]] : flat(value, `${name}${key}.`),
  )

test('no number of weight.json has grown', async () => {
  const weight: Weight = { ways: await waysOf() }
  const before = new Map(flat(JSON.parse(readFileSync(numbers, 'utf8'))))
  const heavier = flat(weight).flatMap(([name, value]) => {
    const limit = before.get(name) ?? 0
    return value > limit ? [`${name}: ${value}, of at most ${limit}`] : []
  })
  expect(heavier).toEqual([])
  if (isWriting) writeFileSync(numbers, `${JSON.stringify(weight, null, 2)}\n`)
}, 120_000)
