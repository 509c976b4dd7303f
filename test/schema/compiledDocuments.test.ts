import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getOperationAST, parse, validate } from 'graphql'
import { expect, test } from 'vitest'
import { startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import { RequestScope } from '../../src/engine/upstream/requestScope.ts'
import { createGateway } from '../../src/gateway.ts'
import { SignalSource } from '../../src/kit/clock/signal.ts'
import { schema } from '../../src/schema/schema.ts'
import { createCompiledExecutor } from '../../src/server/operation/compiled/compiledExecutor.ts'
import { comparable } from '../support/comparableResult.ts'
import { blocksOf } from '../support/docBlocks.ts'
import { createGraphqlJsExecutor } from '../support/graphqlJs.ts'
import { now, youngChains } from '../support/world.ts'

const root = join(import.meta.dirname, '..', '..')

/** The text of the README, of the examples and of this folder's tests. */
const texts = [
  ...blocksOf('README.md').map(({ query }) => `\`${query}\``),
  ...readdirSync(join(root, 'examples/documents')).map(
    (file) => `\`${readFileSync(join(root, 'examples/documents', file), 'utf8').replaceAll('`', '')}\``,
  ),
  ...['test/contract/schema', 'test/schema', 'test/engine/graphql'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, folder, file), 'utf8')),
  ),
]

/** Values for the variables of the documents. Those that a document does not declare are ignored. */
const variables = {
  chainId: 'galley-1',
  height: '7',
  first: 3,
  address: `0x${'12'.repeat(20)}`,
  hash: 'AB'.repeat(32),
  collection: `0x${'34'.repeat(20)}`,
  tokenId: '1',
  denom: 'umin',
  id: Buffer.from('Chain:galley-1').toString('base64'),
  txHash: 'AB'.repeat(32),
}

const isQuery = (query: string): boolean => {
  try {
    const document = parse(query)
    return validate(schema, document).length === 0 && getOperationAST(document)?.operation === 'query'
  } catch {
    return false
  }
}

/** All valid queries that are written without an interpolation. */
const queries = [
  ...new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/`([^`]+)`|'([^'\n]+)'/g)].map(([, long, short]) =>
        (long ?? short ?? '').replaceAll('\\`', ''),
      ),
    ),
  ),
]
  // An age differs from one moment to the next.
  .map((text) => text.replace('ageSeconds', ''))
  .filter((text) => text.includes('{') && isQuery(text))

test('all queries of README, examples and tests have the results of graphql-js', async () => {
  await using sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
  await using gateway = await createGateway({ chains: sandbox.indexers, router: { url: sandbox.routerUrl } })
  const { shared } = gateway
  const executors = [createCompiledExecutor(schema), createGraphqlJsExecutor(schema)]
  for (const query of queries) {
    const document = parse(query)
    const [compiled, expected] = await Promise.all(
      executors.map(async ({ execute }) => {
        const scope = new RequestScope(new SignalSource(), shared)
        const context = { ...shared, scope, errorsBeside: [] }
        return comparable(await execute({ document, operationName: undefined, variables, context }))
      }),
    )
    expect(compiled, query).toEqual(expected)
  }
  expect(queries.length).toBeGreaterThan(60)
})
