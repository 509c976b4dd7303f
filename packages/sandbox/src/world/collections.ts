import { type Account, makeAccount } from '../address.ts'
import type { SandboxChain } from '../chains.ts'
import { hexDigest, pick } from '../random.ts'
import { metadataUri } from './pictures.ts'

/** What never changes about an NFT collection. The n-th transaction of a chain creates the n-th collection. */
export interface CollectionFixture {
  readonly address: Account
  readonly name: string
  /** Its name on the chain it was bridged from. Empty for native collections. */
  readonly originName: string
  /** Index of its creator in `users`. */
  readonly creator: number
  readonly tokens: readonly TokenFixture[]
}

/** What never changes about an NFT. */
interface TokenFixture {
  readonly tokenId: string
  readonly uri: string
  /** The address of the token's object on Move. Empty elsewhere. */
  readonly objectAddress: string
  /** Index of its first owner in `users`. */
  readonly firstOwner: number
}

const catalogue: readonly (readonly [name: string, size: number])[] = [
  ['Bored Sailors', 140],
  ['Harbour Cats #1', 33],
  ['Café del Mar', 12],
  ['고래 클럽', 21],
  ['🐙 Octo Pals', 100],
  ['Ghost Ships', 9],
  ['Empty Hold', 0],
  ['lantern-fish', 64],
  ['Knots² & İΣΟΣ', 1],
  ['Star Charts', 77],
  ['Tide Pools 潮', 3],
  ['Harbour Cats #2', 50],
]
const bridged = 'Ghost Ships'

/** The collections of a chain, oldest first. */
export function createCollections(chain: SandboxChain, seed: string, users: number): readonly CollectionFixture[] {
  const { chainId, vm } = chain
  return catalogue.map(([name, size], index) => {
    const address = makeAccount(chain.bech32Prefix, vm === 'evm' ? 20 : 32, seed, chainId, 'collection', index)
    return {
      address,
      name: name === bridged ? `ibc/${name}` : name,
      originName: name === bridged ? name : '',
      creator: pick(users, seed, chainId, 'creator', index),
      tokens: Array.from({ length: size }, (_, number) => {
        const tokenId = tokenIdOf(chain, number)
        return {
          tokenId,
          // Most are never read, and a picture takes longer than all the rest of a token.
          get uri() {
            return number % 9 === 4 ? '' : uriOf(`${name} #${number + 1}`, address.hex, number)
          },
          objectAddress: vm === 'move' ? `0x${hexDigest(32, address.hex, tokenId)}` : '',
          firstOwner: pick(users, seed, chainId, 'owner', index, number),
        }
      }),
    }
  })
}

/** One token in three has its metadata and its picture in its URI, so that they are shown without a network. */
const uriOf = (name: string, address: string, number: number): string =>
  number % 3 === 0 ? metadataUri(name, `${address} ${number}`) : `ipfs://${address.slice(2, 14)}/${number + 1}.json`

/** Token ids of Wasm collections by their numbers. A contract may give any text. */
const oddIds: Readonly<Record<number, string>> = {
  1: 'first light',
  2: 'fünf⚓',
  3: 'hold/4',
  4: 'hold\tin\nlines',
  5: 'l'.repeat(1_600),
}

/** Further ids, of chains whose ids are to be hard to put in a path. */
const harderIds: readonly string[] = [
  '.',
  '..',
  '/lead',
  'trail/',
  'a//b',
  '../../status',
  'a%2Fb',
  '?key=1#part',
  ' spaces ',
  '\u0001\u007f',
  'back\\slash',
  '🏴‍☠️',
  'm'.repeat(3_000),
]
const firstHarder = 10

function tokenIdOf({ vm, quirks }: SandboxChain, number: number): string {
  if (vm === 'evm') return String(number + 1)
  if (vm === 'move') return `piece.${number + 1}`
  const harder = quirks?.oddIds ? harderIds[number - firstHarder] : undefined
  // Ids that a path cannot hold.
  return harder ?? oddIds[number] ?? `plank-${number + 1}`
}
