import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { account, endVisit, hash, startBrowser, startVisit } from './browser.ts'
import { startGateway } from './gateway.ts'
import { startServices } from './restRequests.ts'

let browser: Browser
let services: Awaited<ReturnType<typeof startServices>>
let gateway: Awaited<ReturnType<typeof startGateway>>

// Two indexers alone: no router, no registry and no sandbox, so no names, prices or decimals.
beforeAll(async () => {
  browser = await startBrowser()
  services = await startServices()
  const indexers = ['harbor-1', 'galley-1'].map((id) => `${id}=${services.urls.get(id)}`)
  gateway = await startGateway({ isSandbox: false, settings: { INDEXERS: indexers.join(',') } })
})
afterAll(async () => {
  await browser?.close()
  gateway?.stop()
  services?.stop()
})

test('every page works with two indexers only, without router or registry', async () => {
  const { chain } = await gateway.query(
    '{ chain(chainId: "galley-1") { nftCollections(first: 1) { nodes { address nfts(first: 1) { nodes { tokenId } } } } } }',
  )
  const [{ address, nfts }] = chain.nftCollections.nodes
  const { page, shows, faults, context } = await startVisit(browser)
  const pages: readonly (readonly [string, string | RegExp])[] = [
    ['/', /Galley Sequencer/],
    ['/search?q=1041', '1,041'],
    ['/chain/galley-1', 'Not available on this gateway (not configured: router).'],
    ['/block/galley-1/1041', 'Galley Sequencer'],
    [`/tx/${hash}`, /\/ 99,982$/],
    [`/address/${account}`, 'Not available on this gateway (not configured: galley-1, harbor-1).'],
    ['/asset/harbor-1/uinit', 'Holders'],
    [`/collection/galley-1/${address}`, 'Creator'],
    [`/nft/galley-1/${address}/${nfts.nodes[0].tokenId}`, 'Owner'],
    ['/quote', 'Not available on this gateway (not configured: router).'],
    ['/transfers', 'None yet.'],
    [`/transfer/galley-1/${hash}`, 'Not available on this gateway (not configured: router).'],
    ['/status', 'Max cost per operation'],
    ['/nowhere', 'Page not found'],
  ]
  for (const [path, text] of pages) {
    await page.goto(gateway.origin + path)
    await shows(text)
    await page.waitForFunction(() => !document.querySelector('main .waiting'))
    expect(await page.locator('main .failed').allTextContents(), path).toEqual([])
    if (path !== '/nowhere') expect(faults, path).toEqual([])
  }
  expect(await page.getByRole('link', { name: 'Quote' }).count()).toBe(0)
  await endVisit({ context })
})
