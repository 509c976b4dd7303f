import { bytesOf } from '#words/addresses/bytes'
import { keyText } from '../../engine/graphql/naturalKey.ts'
import { type NodeShape, nodeType } from '../../engine/graphql/node.ts'
import { badInput } from '../../engine/upstream/error.ts'
import type { Network, ServedChain } from '../../engine/upstream/network.ts'
import { chainShape } from '../chain/knownChain.ts'
import { ChainAccount, type ChainAccountShape } from './chainAccount.ts'

/** An address without a chain. */
export interface AccountShape extends NodeShape<'Account'> {
  /** The bytes of the address as hex digits: 40 for wallets, 64 for some contracts. */
  readonly bytes: string
  /** The address as the client wrote it. Undefined for an id of the graph. */
  readonly written: string | undefined
  /** The chains with an indexer. Some wait for a height before they are read. */
  readonly chains: ReadonlyMap<string, ServedChain>
}

/** The bytes of an address in any spelling. Throws `BAD_USER_INPUT` for any other text. */
function bytesOfAny(address: string): string {
  const bytes = bytesOf(address)
  if (bytes !== null) return bytes
  throw badInput('Invalid address. Use bech32 with a valid checksum, or 0x and up to 64 hex digits.', 'INVALID_ADDRESS')
}

/** The account of an address in any spelling. Throws `BAD_USER_INPUT` for any other text. */
export const accountAt = ({ chains }: Pick<Network, 'chains'>, address: string): AccountShape => ({
  __typename: 'Account',
  bytes: bytesOfAny(address),
  written: address,
  chains,
})

export const Account = nodeType<AccountShape>('Account', {
  description: 'One address on all chains. Its owner can differ between them.',
  keyOf: ({ bytes }) => bytes,
  naturalKey: {
    fields: 'hexAddress',
    keyOf: (representation) => bytesOfAny(keyText(representation, 'hexAddress')),
  },
  load: (key, { network }) => ({ ...accountAt(network, `0x${key}`), written: undefined }),
  fields: (t) => ({
    hexAddress: t.value(
      'Address',
      'Address in hex with 0x: 20 bytes, or 32 for some contracts.',
      ({ bytes }) => `0x${bytes}`,
    ),
    chainAccounts: t.field({
      type: [ChainAccount],
      description: 'This address on each chain with an indexer.',
      complexity: (_args, { network }) => ({ field: 1, multiplier: network.chains.size }),
      resolve: ({ bytes, chains }): ChainAccountShape[] =>
        [...chains.values()].map((chain) => ({
          __typename: 'ChainAccount',
          chain: chainShape(chain),
          address: `0x${bytes}`,
        })),
    }),
  }),
})
