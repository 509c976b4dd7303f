import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOperationAST, isExecutableDefinitionNode, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import {
  blocksOf,
  formatJson,
  type GraphqlBlock,
  pageFiles,
  readPage,
  shownAnswer,
  valuesOf,
} from '../support/docBlocks.ts'
import { schema } from '../support/graph.ts'
import { type Data, startWorld, type World } from '../support/world.ts'

// Runs every block of GraphQL on the pages against the sandbox. `npm run examples` writes the answers and the costs
// that follow them; otherwise they are compared.

const isWriting = process.env.WRITE_EXAMPLES === 'true'

const startNetwork = () => startWorld({ chains: sandboxChains })

/** What an operation answered, and what it cost. */
interface Run {
  readonly answer: Data
  readonly cost: string
}

async function run(world: World, query: string, variables: Data): Promise<Run> {
  const response = await fetch(world.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'graphql-cost-debug': '1' },
    body: JSON.stringify({ query, variables }),
  })
  const { extensions, ...answer } = (await response.json()) as Data
  const { points, upstreamRequests, upstreamBytes } = extensions?.cost ?? {}
  return { answer, cost: costLine(points, upstreamRequests, upstreamBytes) }
}

/** The line below an answer. Bytes are rounded, since a cursor can be a byte longer or shorter. */
function costLine(points: number, requests: number, bytes: number): string {
  const kilobytes = (bytes / 1000).toFixed(1)
  const sent = requests === 1 ? '1 upstream request' : `${requests === 0 ? 'no' : requests} upstream requests`
  // Lists that operations share, such as that of all assets, are not counted in bytes.
  const verb = requests === 1 ? 'returns' : 'return'
  const size = kilobytes === '0.0' ? '' : `, which ${verb} ${kilobytes} kB`
  return `*Costs ${points} points and makes ${sent}${size}.*`
}

/** Variables of a block. Where the page shows `…`, the value is that of the last answer with such a field. */
function variablesOf({ variables }: GraphqlBlock, answers: readonly Data[]): Data {
  if (!variables) return undefined
  const fill = (value: Data, name: string): Data => {
    if (value === '…') {
      const field = name === 'after' ? 'endCursor' : name
      return answers.flatMap((answer) => valuesOf(answer, field)).at(-1)
    }
    if (Array.isArray(value)) return value.map((entry) => fill(entry, name))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fill(entry, key)]))
  }
  return fill(variables, '')
}

const dependsOnEarlier = ({ variables }: GraphqlBlock) => JSON.stringify(variables)?.includes('…')

/** A page with the answers and costs of its runs. The README shows no costs. */
function written(file: string, runs: ReadonlyMap<GraphqlBlock, Run>): string {
  let text = readPage(file)
  for (const [block, { answer, cost }] of [...runs].toReversed()) {
    const head = text.slice(block.start, block.end).replace(/\s+```json\n.*$/s, '')
    const json = `\`\`\`json\n${formatJson(shownAnswer(answer))}\n\`\`\``
    const tail = file === 'README.md' || answer.errors ? '' : `\n\n${cost}`
    text = `${text.slice(0, block.start)}${head}\n\n${json}${tail}${text.slice(block.end)}`
  }
  return text
}

const isExecutable = (query: string) => parse(query).definitions.every(isExecutableDefinitionNode)

const operationOf = (query: string) => getOperationAST(parse(query))?.operation

const withBlocks = pageFiles.flatMap((file) => {
  const blocks = blocksOf(file).filter(({ query }) => isExecutable(query))
  return blocks.length > 0 ? [{ file, blocks }] : []
})

describe.each(withBlocks)('$file', ({ file, blocks }) => {
  test('has valid operations', () => {
    for (const { query, answer } of blocks) {
      if (answer?.includes('GRAPHQL_VALIDATION_FAILED')) continue
      expect(validate(schema, parse(query)), query).toEqual([])
    }
  })

  test('shows the answers of its operations, and what they cost', async () => {
    await using world = await startNetwork()
    const answers: Data[] = []
    const runs = new Map<GraphqlBlock, Run>()
    for (const block of blocks) {
      // Subscriptions wait for blocks: subscriptions.test.ts watches them.
      if (operationOf(block.query) === 'subscription') continue
      const variables = variablesOf(block, answers)
      const { answer, cost } = await run(world, block.query, variables)
      answers.push(answer)
      if (block.answer === undefined) {
        expect(answer.errors, block.query).toBeUndefined()
        continue
      }
      const isCold = !dependsOnEarlier(block)
      await using own = isCold ? await startNetwork() : undefined
      runs.set(block, { answer, cost: own ? (await run(own, block.query, variables)).cost : cost })
    }
    if (isWriting) {
      const text = written(file, runs)
      if (text !== readPage(file)) writeFileSync(join(import.meta.dirname, '..', '..', file), text)
      return
    }
    for (const [block, { answer, cost }] of runs) {
      expect(shownAnswer(answer), block.query).toEqual(JSON.parse(block.answer ?? ''))
      if (block.cost !== undefined) expect(block.cost, block.query).toBe(cost)
    }
  })
})
