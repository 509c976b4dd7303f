import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainIds, type Data, startWorld, testOfPlainRecords, type World } from '../../support/world.ts'

// A person pastes texts with characters that cannot be seen: of chats, documents and web pages.

const plainTest = testOfPlainRecords()

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world[Symbol.asyncDispose]())

const marks = ['\u200b', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u202a', '\u2064']

/** What a text looks like in a clipboard: with marks around it and inside it, and with spaces of other widths around it. */
const pastings = (text: string) => [
  ...marks.flatMap((mark) => [`${mark}${text}${mark}`, `${text.slice(0, 5)}${mark}${text.slice(5)}`]),
  `\u00a0${text}\u202f`,
  ` ${text} `,
]

const ask = async (query: string, variables: object): Promise<Data> => world.data(query, { ...variables })

plainTest('an address, a hash, a chain and a denom are found as they were pasted', async () => {
  const { chain } = await ask(
    `{ chain(chainId: "${chainIds.EVM}") { transactions(first: 1) { nodes { hash signers { account { address } } } } } }`,
    {},
  )
  const [{ hash, signers }] = chain.transactions.nodes
  const { address } = signers[0].account
  const query = `query ($chainId: ChainId!, $address: Address!, $hash: Hash!, $text: String!, $denom: Denom!) {
    account(address: $address) { id }
    transaction(hash: $hash) { hash }
    chain(chainId: $chainId) { chainId account(address: $address) { address } }
    asset(chainId: $chainId, denom: $denom) { denom }
    transfer(chainId: $chainId, hash: $text) { chainId hash }
    search(text: $text) { results { match node { __typename } } }
  }`
  const plain = { chainId: chainIds.EVM, address, hash, text: hash, denom: 'uinit' }
  const found = await ask(query, plain)
  expect(found).toMatchObject({ transaction: { hash }, search: { results: [{ match: 'EXACT' }] } })
  const all = Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, pastings(text)]))
  for (const [index] of pastings('').entries()) {
    const variables = Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, texts[index]]))
    expect(await ask(query, variables), JSON.stringify(variables)).toEqual(found)
  }
})

test.each(['account(address: "%") { id }', 'search(text: "%") { results { node { __typename } } }'])(
  'the literal in %s may have them too',
  async (field) => {
    const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'
    const found = await ask(`{ ${field.replace('%', address)} }`, {})
    expect(await ask(`{ ${field.replace('%', `\u200e${address}\u200b`)} }`, {})).toEqual(found)
  },
)

test('a text of nothing that can be seen is empty', async () => {
  const { errors } = await world.ask('query ($text: String!) { search(text: $text) { hasMore } }', {
    text: '\u200b\u2060',
  })
  expect(errors?.[0]?.message).toBe('The text must have 1 to 256 characters.')
})
