import { bech32 } from '@scure/base'
import { builder } from '../../graphql/builder.ts'
import { bech32Of, isAddress } from '../../graphql/scalars.ts'
import { badInput } from '../../upstream/error.ts'
import type { ServedChain } from '../../upstream/network.ts'
import { Chain } from './chain.ts'
import { type ChainNodeShape, chainNode } from './chainNode.ts'

/** An address on a chain. It may never have been used. */
export interface AccountShape extends ChainNodeShape<'Account'> {
  /** Lower case. */
  readonly address: string
}

/** The account of an address in a record. Null for the `""` that indexers write for no account. */
export const accountOf = (chain: ServedChain, address: string | null): AccountShape | null =>
  address ? { __typename: 'Account', chain, address: address.toLowerCase() } : null

/** The account of an address that is never missing. */
export const account = (chain: ServedChain, address: string): AccountShape => ({
  __typename: 'Account',
  chain,
  address: address.toLowerCase(),
})

export const Account = chainNode<AccountShape>('Account', {
  description: 'An address on a chain: a wallet, a contract or a module account.',
  keyOf: ({ address }) => address,
  load: (chain, key) => account(chain, checkAddress(chain, key)),
  fields: (t) => ({
    address: t.string({
      description:
        'Address in lower case, in the form of the argument or of the record that contains it.',
      resolve: ({ address }) => address,
    }),
    bech32Address: t.string({
      nullable: true,
      description: 'Address in bech32. Null if the prefix of the chain is not configured.',
      resolve: ({ chain, address }) => toBech32(chain, address),
    }),
    hexAddress: t.string({
      nullable: true,
      description: 'Address in hex with 0x: 20 bytes for wallets, 32 bytes for some contracts.',
      resolve: ({ address }) => toHex(address),
    }),
  }),
})

builder.objectField(Chain, 'account', (t) =>
  t.field({
    type: Account,
    description:
      'The account at this address. Never null, since the indexer cannot distinguish unused addresses.',
    args: {
      address: t.arg({
        type: 'Address',
        required: true,
        description: 'Bech32 with the prefix of the chain, or hex with 0x.',
      }),
    },
    resolve: ({ served }, { address }) => account(served, checkAddress(served, address)),
  }),
)

/** The address in lower case, if it is valid on this chain. Throws `BAD_USER_INPUT` otherwise. */
export function checkAddress(chain: ServedChain, address: string): string {
  const parsed = bech32Of(address)
  if (!isAddress(address)) throw badInput('Invalid address. Use bech32, or hex with 0x.')
  if (parsed && chain.bech32Prefix && parsed.prefix !== chain.bech32Prefix) {
    throw badInput(
      `Addresses of ${chain.chainId} start with \`${chain.bech32Prefix}1\`, not \`${parsed.prefix}1\`.`,
    )
  }
  return address.toLowerCase()
}

function toHex(address: string): string | null {
  const bytes = address.startsWith('0x') ? bytesOf(address) : bech32Of(address)?.bytes
  return bytes ? `0x${Buffer.from(bytes).toString('hex')}` : null
}

function toBech32(chain: ServedChain, address: string): string | null {
  if (!address.startsWith('0x')) return address
  if (!chain.bech32Prefix) return null
  const bytes = bytesOf(address)
  // No address of a chain is longer, but what an indexer writes in its place may be.
  return bytes.length > 32 ? null : bech32.encode(chain.bech32Prefix, bech32.toWords(bytes), 90)
}

/** Short hex stands for 20 bytes with leading zeros, or for 32 bytes if it has more than 40 digits. */
function bytesOf(hex: string): Uint8Array {
  const digits = hex.slice(2).replace(/^0+/, '')
  return Buffer.from(digits.padStart(digits.length <= 40 ? 40 : 64, '0'), 'hex')
}
