import { expect, test } from 'vitest'
import { createGraphiql } from '../../../src/server/graphiql/page.ts'
import type { ServedSites } from '../../../src/server/static/openSites.ts'
import { testServices } from '../../support/testServer.ts'

/** A page over a network whose chains the test can replace. */
function startPage(isSandbox = false, sites: ServedSites = { graphiql: true }) {
  const network = { ...testServices().shared.network, chains: new Map() }
  const graphiql = createGraphiql({ network, service: { version: '0.0.0', isSandbox }, sites })
  /** The page that a browser is sent: the same object if nothing was rendered. */
  const visit = () => graphiql.page(true)
  return { network, visit }
}

test('the page is rendered once for each network', async () => {
  const { network, visit } = startPage()
  const [first, again] = await Promise.all([visit(), visit()])
  expect(again).toBe(first)
  expect(first.bodies.identity.toString()).toContain('LiveHeads')
  network.chains = new Map([['a-1', {}]])
  const other = await visit()
  expect(other).not.toBe(first)
  expect(other.bodies.identity.toString()).toContain('("a-1")')
})

test('the page names the sandbox, stores no headers and hides the editor tools', async () => {
  for (const isSandbox of [true, false]) {
    const html = (await startPage(isSandbox).visit()).bodies.identity.toString()
    expect(/<title>(.*)<\/title>/.exec(html)?.[1]).toBe(
      isSandbox ? 'GraphiQL · Portolan sandbox' : 'GraphiQL · Portolan',
    )
    expect(html.includes('<span class="network">sandbox</span>')).toBe(isSandbox)
    expect(html).toContain('"shouldPersistHeaders":false')
    expect(html).toContain('"defaultEditorToolsVisibility":false')
    expect(html).toMatch(/<h1>Portolan GraphiQL<\/h1>.*<main id="root">/s)
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
