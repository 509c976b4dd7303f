// The mixed load: what the users of an explorer ask for while blocks arrive.
import { bech32 } from '@scure/base'
import { blockFields, scenarios, transfer, txFields } from './scenarios.mjs'
import { txHash, txsPerBlock } from './upstream.mjs'

/** Heights that users look at. */
const recent = 40_000

const addressOf = (number) => {
  const bytes = new Uint8Array(20)
  new DataView(bytes.buffer).setUint32(0, number)
  return bech32.encodeFromBytes('init', bytes)
}
const accounts = Array.from({ length: 1_000 }, (_, number) => addressOf(number + 1))

/** Numbers from 0 up to 1 that are the same for the same seed. */
function randomOf(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A rank below `count` by Zipf's law with exponent 1: rank r comes 1 / (r + 1) times as often as rank 0. */
const zipf = (random, count) => Math.min(count - 1, Math.floor((count + 1) ** random()) - 1)

const home = `{ chain { status { height } blocks(first: 10) { nodes { ${blockFields} } } transactions(first: 10) { nodes { hash height timestamp isSuccessful messages { typeUrl } } } } }`
const blockPage = `query ($height: UInt53!) { chain { block(height: $height) { ${blockFields} transactions(first: 50) { nodes { ${txFields} } } } } }`
const transactionPage = `query ($hash: Hash!) { chain { transaction(hash: $hash) { height timestamp ${txFields} } } }`
const accountPage = `query ($address: Address!) { chain { account(address: $address) { transactions(first: 20) { nodes { ${txFields} } } } } }`

/** The pages of an explorer, each with its share of the requests, and what it asks for. */
const pages = [
  { share: 0.2, next: () => ({ query: home }) },
  {
    share: 0.3,
    next: (random, height) => ({
      query: blockPage,
      variables: { height: String(height - zipf(random, recent)) },
    }),
  },
  {
    share: 0.25,
    next: (random, height) => ({
      query: transactionPage,
      variables: { hash: txHash((height - zipf(random, recent)) * txsPerBlock) },
    }),
  },
  {
    share: 0.15,
    next: (random) => ({
      query: accountPage,
      variables: { address: accounts[zipf(random, accounts.length)] },
    }),
  },
  {
    share: 0.1,
    next: (random) => ({
      query: scenarios.status.query,
      variables: { hash: transfer(zipf(random, 2_000), random() < 0.5 ? '0' : '1') },
    }),
  },
]

/**
 * What the users of an explorer ask for, the same for the same seed: recent blocks and popular accounts
 * most, by Zipf's law. `heightNow` gives the height of the chain.
 */
export function explorer(seed, heightNow) {
  const random = randomOf(seed)
  return () => {
    let left = random()
    const page = pages.find(({ share }) => {
      left -= share
      return left < 0
    })
    return (page ?? pages[0]).next(random, heightNow())
  }
}
