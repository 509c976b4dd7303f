import { afterEach, beforeEach, expect, test } from 'vitest'
import { account, follow, hash, transfer } from './browser.ts'
import { openVisits } from './visits.ts'

const walk = openVisits()
let nft: string
beforeEach(async () => {
  const { chain } = await walk.gateway.query(
    '{ chain(chainId: "galley-1") { nftCollections(first: 1) { nodes { address nfts(first: 1) { nodes { tokenId } } } } } }',
  )
  const [{ address, nfts }] = chain.nftCollections.nodes
  nft = `${address}/${nfts.nodes[0].tokenId}`
})
afterEach(() => walk.visit.page.unrouteAll({ behavior: 'ignoreErrors' }))

const script = '<script>self.hacked = 1</script>'
const markup = `<img src=x onerror="self.hacked = 1">${script}<b>bold</b>`
const link = 'javascript:self.hacked=1'

/** Texts as a hostile chain would write them. */
const texts = {
  markup: `"'>${markup}`,
  'a direction': `\u202Egnp.exe\u2066 ${markup}`,
  'ten thousand characters': 'W'.repeat(10_000),
  'ten thousand right-to-left characters': 'שׁלום'.repeat(2_000),
  'control characters': `\u0000\u0007\u001B[31m\u0085\u2028${'a\u0301'.repeat(500)}\uFFFE`,
  'a link': link,
}

/** Fields whose text a chain, a validator or the issuer of a token chooses. */
const named =
  /^(memo|name|moniker|symbol|description|title|summary|message|rawLog|codespace|version|trace|originalName|denom\w*)$/
const links = /^(uri|url|image|website|\w+Url)$/

/** Puts a text in place of all that a chain chooses in an answer. */
function poison(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((item) => poison(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === 'body') return [key, { [text]: text, nested: { text } }]
      if (key === 'attributes') return [key, [{ key: text, value: text }]]
      if (typeof item === 'string' && named.test(key)) return [key, text]
      if (links.test(key)) return [key, text.includes('<') ? text : link]
      return [key, poison(item, text)]
    }),
  )
}

const paths = () => [
  ['/', '.card .big a'],
  ['/search?q=lantern', 'tbody td'],
  ['/chain/galley-1', '.paused-list tbody td'],
  ['/block/galley-1/1041', '.facts dd'],
  [`/tx/${hash}`, '.facts dd'],
  [`/address/${account}`, '.paused-list tbody td'],
  ['/asset/harbor-1/uinit', 'tbody td'],
  [`/collection/galley-1/${nft.split('/')[0]}`, '.tiles li'],
  [`/nft/galley-1/${nft}`, '.facts dd'],
  ['/quote', 'select'],
  [`/transfer/osmosis-1/${transfer}`, '.hops li'],
  ['/status', 'tbody td'],
]

test.each(Object.entries(texts))(
  'hostile text (%s) is escaped on every page, and does not break the layout',
  async (_, text) => {
    const { page, faults } = walk.visit
    await page.route('**/graphql', async (route) => {
      const response = await route.fetch()
      const { data, ...rest } = await response.json()
      await route.fulfill({ response, json: { ...rest, data: poison(data, text) } })
    })
    await page.routeWebSocket('**/graphql', (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        const event = JSON.parse(String(message))
        if (event.type === 'next') event.payload.data = poison(event.payload.data, text)
        socket.send(JSON.stringify(event))
      })
    })
    await page.goto(walk.gateway.origin)
    for (const [path = '', data = ''] of paths()) {
      // The scripts are loaded and compiled once for each text, since that takes most of the time of a page.
      if (path !== '/') await follow(page, path)
      await page.locator(data).first().waitFor()
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 900 })
        const at = `${path} at ${width} px`
        const found = await page.evaluate(() => ({
          isHacked: 'hacked' in self,
          foreign: document.querySelectorAll('main :is(script, img, iframe, b)').length,
          hrefs: [...document.querySelectorAll('a')].map((one) => one.protocol),
          wider: document.documentElement.scrollWidth - innerWidth,
          height: document.documentElement.scrollHeight,
        }))
        expect(found, at).toMatchObject({ isHacked: false, foreign: 0, wider: 0 })
        expect([...new Set(found.hrefs)], at).toEqual(['http:'])
        expect(found.height, at).toBeLessThan(16_000)
      }
    }
    expect(faults).toEqual([])
  },
  60_000,
)
