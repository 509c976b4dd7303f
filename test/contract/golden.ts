import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type ContractGateway, type Request, startContractGateway } from './gateway.ts'

// Answers that stay as they are. Each file of test/contract/golden has requests by their names, with the answer of each
// and the upstream requests that it takes after those before it. A folder there is one such file in parts, in the order of
// their names, so that a difference can be read.

/** Whether the answers are written instead of compared. `npm run golden` does. */
const isWriting = process.env.GOLDEN === 'write'

interface Entry extends Answer {
  readonly request: Request
  /** The upstream requests, sorted: those of one moment have no order. */
  readonly sent: readonly string[]
}

type Entries = Readonly<Record<string, Entry>>

const pathOf = (...parts: string[]) => join(import.meta.dirname, 'golden', ...parts)

/** The entries of a golden file, or of a folder of them. Empty if there is none. */
export function goldenEntries(name: string): Entries {
  const read = (...parts: string[]): Entries => JSON.parse(readFileSync(pathOf(...parts), 'utf8'))
  if (existsSync(pathOf(`${name}.json`))) return read(`${name}.json`)
  const parts = existsSync(pathOf(name)) ? readdirSync(pathOf(name)).toSorted() : []
  return Object.assign({}, ...parts.map((part) => read(name, part)))
}

const answerOf = async (gateway: ContractGateway, request: Request): Promise<Entry> => {
  gateway.sent()
  const answer = await gateway.send(request)
  return { request, ...answer, sent: gateway.sent() }
}

interface GoldenOptions {
  /** Makes the requests that are written, by their names. It has a gateway of its own to look for records. */
  readonly requestsOf: (gateway: ContractGateway) => Promise<ReadonlyMap<string, Request>>
  /** The part of the folder that an entry is in. Left out, there is one file. */
  readonly partOf?: (entry: string) => string
  /** Whether each request has a gateway of its own. By default they are sent to one, in their order. */
  readonly isAlone?: boolean
}

/** Tests that each request of a golden file is answered as it was. */
export function testGolden(name: string, { requestsOf, partOf, isAlone = false }: GoldenOptions): void {
  let shared: ContractGateway
  beforeAll(async () => {
    shared = await startContractGateway()
  })
  afterAll(() => shared[Symbol.asyncDispose]())
  const ask = async (request: Request) => {
    if (!isAlone) return answerOf(shared, request)
    await using gateway = await startContractGateway()
    return await answerOf(gateway, request)
  }
  if (isWriting) {
    test(`${name}: written`, async () => {
      await using gateway = await startContractGateway()
      const entries: Record<string, Entry> = {}
      for (const [entry, request] of await requestsOf(gateway)) {
        entries[entry] = await ask(request).catch((error) => {
          throw new Error(`${entry} has no answer.`, { cause: error })
        })
      }
      if (partOf) writeParts(name, entries, partOf)
      else writeFileSync(pathOf(`${name}.json`), textOf(entries))
    }, 600_000)
    return
  }
  test.each(Object.entries(goldenEntries(name)))('%s', async (_, entry) => {
    expect(await ask(entry.request)).toEqual(entry)
  })
}

function writeParts(name: string, entries: Entries, partOf: (entry: string) => string): void {
  rmSync(pathOf(name), { recursive: true, force: true })
  mkdirSync(pathOf(name), { recursive: true })
  for (const part of new Set(Object.keys(entries).map(partOf))) {
    const own = Object.entries(entries).filter(([entry]) => partOf(entry) === part)
    writeFileSync(pathOf(name, `${part}.json`), textOf(Object.fromEntries(own)))
  }
}

/** A line for each part of an entry, so that it is easy to see which part has changed. */
function textOf(entries: Entries): string {
  const texts = Object.entries(entries).map(([name, entry]) => {
    const parts = Object.entries(entry).map(([part, value]) => `  ${JSON.stringify(part)}: ${JSON.stringify(value)}`)
    return `${JSON.stringify(name)}: {\n${parts.join(',\n')}\n}`
  })
  return `{\n${texts.join(',\n')}\n}\n`
}
