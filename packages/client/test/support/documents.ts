import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { createGateway } from '../../../../src/gateway.ts'
import { startSandbox } from '../../../sandbox/src/sandbox.ts'

const folder = new URL('../../../../examples/documents/', import.meta.url)

/** The documents of `examples/documents` whose variables all have defaults, by kind. */
export const documentsOf = (kind: 'query' | 'subscription'): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .filter((text) => new RegExp(`^${kind}`, 'm').test(text))
    .filter((text) => !/\$\w+: [\w[\]!]+!(?! =)/.test(text.replace(/\n/g, ' ')))

/** A gateway over the sandbox, as a newcomer starts it, while the tests of a file run. */
export function plainWorld(): { readonly url: string } {
  let world: Awaited<ReturnType<typeof startPlainWorld>> | undefined
  beforeAll(async () => {
    world = await startPlainWorld()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())
  return {
    get url() {
      if (!world) throw new Error('The gateway has not started.')
      return world.url
    },
  }
}

/** A gateway over the sandbox, as a newcomer starts it. */
export async function startPlainWorld(): Promise<{ url: string } & AsyncDisposable> {
  const sandbox = await startSandbox()
  const gateway = await createGateway(
    {
      chains: sandbox.indexers.map(({ feeAssets: _, ...chain }) => chain),
      router: { url: sandbox.routerUrl },
      // The first account of a sandbox takes seconds of work in this process, and longer beside other tests.
      limits: { timeoutMs: 120_000, upstreamTimeoutMs: 60_000 },
    },
    { server: { grace: 0, drain: 0 } },
  )
  return {
    url: gateway.url,
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await sandbox.close()
    },
  }
}

/** The words of all calls of `console.warn` and `console.error` until it is disposed of. */
export function listenToConsole(): { words: string[] } & Disposable {
  const words: string[] = []
  const { warn, error } = console
  Object.assign(console, {
    warn: (...said: unknown[]) => words.push(said.join(' ')),
    error: (...said: unknown[]) => words.push(said.join(' ')),
  })
  return { words, [Symbol.dispose]: () => void Object.assign(console, { warn, error }) }
}

export const blockPage = `query BlockPage($first: Int!, $after: String) {
  chain(chainId: "galley-1") {
    id
    blocks(first: $first, after: $after) {
      edges { cursor node { id height } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const outcomePage = `query OutcomePage($after: String, $isSuccessful: Boolean) {
  account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
    id
    activity(first: 2, after: $after, filter: { chainIds: ["galley-1"], isSuccessful: $isSuccessful }) {
      unavailableChains { chainId code }
      edges { cursor node { id isSuccessful } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

export const activityPage = `query ActivityPage($after: String) {
  account(address: "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3") {
    id
    activity(first: 4, after: $after) {
      liveCursor
      nodes { id hash }
      pageInfo { hasNextPage endCursor }
    }
  }
}`
