import { readdirSync, readFileSync } from 'node:fs'
import { Kind, parse, valueFromASTUntyped } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import variablesFile from '../../../examples/variables.json' with { type: 'json' }
import { type Client, createClient } from '../src/client.ts'
import * as operations from '../src/operations/generated/operations.ts'
import { chainId, clientOf, startWorld, type World, webSocketImpl } from './support/world.ts'

let world: World
let client: Client
beforeAll(async () => {
  world = await startWorld()
  client = clientOf(world)
})
afterAll(() => world[Symbol.asyncDispose]())

const folder = new URL('../../../examples/documents/', import.meta.url)

/** The operation of an example, its kind, and the values that its variables have in the sandbox. */
function exampleOf(file: string) {
  const [definition] = parse(readFileSync(new URL(file, folder), 'utf8')).definitions
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error(file)
  const { operation, name, variableDefinitions = [] } = definition
  const variables = Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  )
  const own = String(name?.value).replace(/^./, (letter) => letter.toLowerCase())
  return { operation, own, variables }
}

const examples = readdirSync(folder).map(exampleOf)

type Run = (client: Client, variables: object) => unknown
const functions = operations as unknown as Record<string, Run>

/** The routes whose tokens these operations need. */
const routes: Readonly<Record<string, unknown>> = {
  prepare: exampleOf('quote.graphql').variables.input,
  hook: variablesFile.hook[0]?.routeToken.variables.input,
}

describe('example functions', () => {
  const asked = examples.filter(({ operation }) => operation !== 'subscription')
  test.each(asked)('$own returns data', async ({ own, variables }) => {
    const { route } = own in routes ? await operations.quote(client, { input: routes[own] } as never) : {}
    const all = { ...variables, ...(route && { routeToken: route.routeToken }) }
    const data = await functions[own]?.(client, all)
    const values = Object.values(data as object)
    expect(values.length).toBeGreaterThan(0)
    expect(values).not.toContain(null)
  })

  const live = examples.filter(({ operation }) => operation === 'subscription')
  test.each(live)('$own yields an event', async ({ own, variables }) => {
    const events = functions[own]?.(client, variables) as ReturnType<typeof operations.liveBlocks>
    const { value } = await events.next()
    await events.return()
    expect(value?.kind).toBe('data')
  })
})

test('a live function resumes from the cursor by its rule', async () => {
  const plain = createClient({ url: world.proxy.url, webSocketImpl, retryDelay: () => 10 })
  const heights: number[] = []
  let cursor: string | undefined
  for (const [from, to] of [
    [0, 3],
    [3, 9],
  ] as const) {
    const live = operations.liveBlocks(plain, { chainId }, { resume: cursor })
    for await (const event of live) {
      if (event.kind !== 'data') throw new Error(JSON.stringify(event))
      heights.push(Number(event.data.blocks.node?.height))
      if (heights.length === from + 2) world.proxy.cut()
      if (heights.length === to) break
    }
    cursor = live.cursor
  }
  expect(heights).toEqual(heights.map((_, index) => Number(heights[0]) + index))
})

test('generated operations have no default values of variables', () => {
  const texts = Object.entries(functions).filter(([name]) => name.endsWith('Document'))
  expect(texts).toHaveLength(examples.length)
  for (const [, text] of texts) expect(String(text).split('{')[0]).not.toContain('=')
})
