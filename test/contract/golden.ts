import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, type ContractGateway, type Request, startContractGateway } from './gateway.ts'

// Answers that stay as they are. Each file of test/contract/golden has requests by their names, with the answer of each
// and the upstream requests that it takes after those before it.

/** Whether the answers are written instead of compared. `npm run golden` does. */
const isWriting = process.env.GOLDEN === 'write'

interface Entry extends Answer {
  readonly request: Request
  /** The upstream requests, sorted: those of one moment have no order. */
  readonly sent: readonly string[]
}

type Entries = Readonly<Record<string, Entry>>

const fileOf = (name: string) => join(import.meta.dirname, 'golden', `${name}.json`)

/** The entries of a golden file. Empty if there is none. */
export const goldenEntries = (name: string): Entries =>
  existsSync(fileOf(name)) ? JSON.parse(readFileSync(fileOf(name), 'utf8')) : {}

const answerOf = async (gateway: ContractGateway, request: Request): Promise<Entry> => {
  gateway.sent()
  const answer = await gateway.send(request)
  return { request, ...answer, sent: gateway.sent() }
}

interface GoldenOptions {
  /** Makes the requests that are written, by their names. It has a gateway of its own to look for records. */
  readonly requestsOf: (gateway: ContractGateway) => Promise<ReadonlyMap<string, Request>>
  /** Whether each request has a gateway of its own. By default they are sent to one, in their order. */
  readonly isAlone?: boolean
}

/** Tests that each request of a golden file is answered as it was. */
export function testGolden(name: string, { requestsOf, isAlone = false }: GoldenOptions): void {
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
      mkdirSync(join(import.meta.dirname, 'golden'), { recursive: true })
      writeFileSync(fileOf(name), textOf(entries))
    }, 600_000)
    return
  }
  test.each(Object.entries(goldenEntries(name)))('%s', async (_, entry) => {
    expect(await ask(entry.request)).toEqual(entry)
  })
}

/** A line for each part of an entry, so that it is easy to see which part has changed. */
function textOf(entries: Entries): string {
  const texts = Object.entries(entries).map(([name, entry]) => {
    const parts = Object.entries(entry).map(([part, value]) => `  ${JSON.stringify(part)}: ${JSON.stringify(value)}`)
    return `${JSON.stringify(name)}: {\n${parts.join(',\n')}\n}`
  })
  return `{\n${texts.join(',\n')}\n}\n`
}
