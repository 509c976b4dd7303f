import { toBech32 } from '#words/addresses/bytes'
import { builder } from '../../engine/graphql/builder.ts'
import { keyOnChain } from '../../engine/graphql/naturalKey.ts'
import { type NodeShape, nodeType, splitKey } from '../../engine/graphql/node.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { Chain } from '../chain/chain.ts'
import { type ChainShape, chainShape, findChain } from '../chain/knownChain.ts'
import { prefixOf } from '../chain/prefix.ts'
import { addressOn, bytesOn, usualAddress } from './address.ts'

/** An address on a chain. It may never have been used. */
export interface ChainAccountShape extends NodeShape<'ChainAccount'> {
  readonly chain: ChainShape
  /** In any spelling. In lower case, except where case matters, as in base58. */
  readonly address: string
}

/** The account at an address of a chain, which may have no indexer. */
export const chainAccountShape = (chain: ChainShape, address: string): ChainAccountShape => ({
  __typename: 'ChainAccount',
  chain,
  address,
})

/** The account of an address that is never missing. */
export const chainAccount = (chain: ServedChain, address: string): ChainAccountShape =>
  chainAccountShape(chainShape(chain), address.toLowerCase())

/** The account of an address in a record. Null for the `""` that indexers write for no account. */
export const chainAccountOf = (chain: ServedChain, address: string | null): ChainAccountShape | null =>
  address ? chainAccount(chain, address) : null

/** The bytes of an account's address as hex digits. An odd address of a record stands for itself. */
const accountKey = ({ chain, address }: ChainAccountShape): string => bytesOn(chain, address) ?? address

const addressOfKey = (key: string): string => (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(key) ? `0x${key}` : key)

export const ChainAccount = nodeType<ChainAccountShape>('ChainAccount', {
  description: 'An address on a chain. Its records are null without an indexer.',
  keyOf: (account) => `${account.chain.chainId}/${accountKey(account)}`,
  naturalKey: keyOnChain('address'),
  load: async (key, context) => {
    const [chainId, address] = splitKey(key)
    const chain = await findChain(context, chainId)
    if (!chain) return null
    return chainAccountShape(chain, await addressOn(context, chain, addressOfKey(address)))
  },
  fields: (t) => ({
    chain: t.value(Chain, 'The chain.', ({ chain }) => chain),
    address: t.value(
      'Address',
      'Canonical address: hex with 0x on chains with an EVM, base58 on Solana, else bech32, or hex if the prefix is unknown.',
      ({ chain, address }, _args, context) => usualAddress(context, chain, address),
    ),
    bech32Address: t.nullable(
      'Address',
      'Address in bech32. Null without a prefix.',
      ({ chain, address }, _args, context) => {
        const bytes = bytesOn(chain, address)
        const write = (prefix: string | null) => (prefix === null || bytes === null ? null : toBech32(bytes, prefix))
        const prefix = prefixOf(context, chain)
        return prefix === null || typeof prefix === 'string' ? write(prefix) : prefix.then(write)
      },
    ),
    hexAddress: t.nullable(
      'Address',
      'Address in hex with 0x: 20 bytes, or 32 for some contracts.',
      ({ chain, address }) => {
        const bytes = bytesOn(chain, address)
        return bytes && `0x${bytes}`
      },
    ),
  }),
})

builder.objectField(Chain, 'account', (t) =>
  t.field({
    type: ChainAccount,
    nullable: true,
    description: 'The account at this address, used or not. Null, with an error, for an invalid address.',
    args: {
      address: t.arg({
        type: 'Address',
        required: true,
        description: 'Bech32 with any prefix, hex with 0x, or base58 on Solana.',
      }),
    },
    resolve: async (chain, { address }, context) => chainAccountShape(chain, await addressOn(context, chain, address)),
  }),
)
