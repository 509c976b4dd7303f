import { expect, test } from 'vitest'
import { createGraphiql } from '../../../src/server/graphiql/page.ts'
import type { Pipeline } from '../../../src/server/operation/pipeline.ts'
import type { ServedSites } from '../../../src/server/static/openSites.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { testClient } from '../../support/testClient.ts'

/** A page over a network that is down until the test says otherwise. */
function startPage(isSandbox = false, sites: ServedSites = { graphiql: true }) {
  const clock = fakeClock()
  const asked: string[] = []
  const network = { data: null as unknown }
  const pipeline: Pick<Pipeline, 'run'> = {
    async run({ query }) {
      asked.push(String(query))
      return { data: network.data as Record<string, unknown> | null }
    },
  }
  const service = { version: '0.0.0', isSandbox }
  const graphiql = createGraphiql(pipeline, { clock, openClient: testClient, service, sites })
  /** The page that a browser is sent: the same object if nothing was rendered. */
  const visit = () => graphiql.page(true)
  return { clock, asked, network, visit }
}

test('while the network is down, the page is cached and examples are retried every 10 s', async () => {
  const { clock, asked, visit } = startPage()
  const pages = await Promise.all([visit(), visit(), visit()])
  const queries = asked.length
  expect(queries).toBeGreaterThan(0)
  for (let time = 0; time < 9; time += 1) {
    await clock.advance(1_000)
    pages.push(await visit())
  }
  expect(asked).toHaveLength(queries)
  await clock.advance(1_000)
  pages.push(await visit())
  expect(asked).toHaveLength(2 * queries)
  expect(new Set(pages).size).toBe(1)
  expect(pages[0]?.bodies.identity.toString()).toContain('renderYogaGraphiQL')
})

test('the page gets its examples once the network is up', async () => {
  const { clock, asked, network, visit } = startPage()
  const bare = await visit()
  network.data = {
    chains: [{ chainId: 'a-1', prettyName: 'A', vm: null }],
    chain: {
      chainId: 'a-1',
      prettyName: 'A',
      feeDenoms: [],
      blocks: { nodes: [{ height: 7, transactionCount: 1, evmTransactions: null }] },
    },
  }
  await clock.advance(10_000)
  const full = await visit()
  expect(full).not.toBe(bare)
  const queries = asked.length
  await clock.advance(60_000)
  expect(await visit()).toBe(full)
  expect(asked).toHaveLength(queries)
})

test('the page names the sandbox, stores no headers and hides the editor tools', async () => {
  for (const isSandbox of [true, false]) {
    const html = (await startPage(isSandbox).visit()).bodies.identity.toString()
    expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe(
      isSandbox ? 'GraphiQL · Portolan SANDBOX' : 'GraphiQL · Portolan',
    )
    expect(html).toContain('"shouldPersistHeaders":false')
    expect(html).toContain('"defaultEditorToolsVisibility":false')
    expect(html).toMatch(/<h1>GraphiQL .*<main id="root">/s)
    expect(html.indexOf('Loading GraphiQL')).toBeLessThan(html.indexOf('<script src='))
  }
})

test('the page leads to the sites that the server has', async () => {
  const pages = { has: () => true, fileAt: async () => undefined }
  const without = (await startPage().visit()).bodies.identity.toString()
  expect(without).not.toContain('href="/docs/"')
  const html = (await startPage(false, { graphiql: true, pages }).visit()).bodies.identity.toString()
  expect(html).toContain('<a href="/docs/">Docs</a>')
  expect(html).not.toContain('Explorer</a>')
})
