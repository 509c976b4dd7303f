import { bytesOf } from '../../addresses/bytes.ts'
import { builder, keepable } from '../../graphql/builder.ts'
import { textOf } from '../../graphql/naturalKey.ts'
import { type NodeShape, nodeType } from '../../graphql/node.ts'
import { badInput } from '../../upstream/error.ts'
import { chainShape } from '../chain/knownChain.ts'
import { ChainAccount, type ChainAccountShape } from './chainAccount.ts'

/** An address without a chain. */
export interface AccountShape extends NodeShape<'Account'> {
  /** The bytes of the address as hex digits: 40 for wallets, 64 for some contracts. */
  readonly bytes: string
}

/** The account of an address in any spelling. Throws `BAD_USER_INPUT` for any other text. */
export function accountAt(address: string): AccountShape {
  const bytes = bytesOf(address)
  if (bytes === null) {
    throw badInput(
      'Invalid address. Use bech32 with a valid checksum, or 0x and up to 64 hex digits.',
    )
  }
  return { __typename: 'Account', bytes }
}

export const Account = nodeType<AccountShape>('Account', {
  description:
    'One address on all chains of the gateway. The same key pair or contract need not control it on each of them.',
  keyOf: ({ bytes }) => bytes,
  naturalKey: {
    fields: 'hexAddress',
    keyOf: (representation) => accountAt(textOf(representation, 'hexAddress')).bytes,
  },
  load: (key) => accountAt(`0x${key}`),
  fields: (t) => ({
    hexAddress: t.field({
      type: 'Address',
      description: 'Address in hex with 0x: 20 bytes for wallets, 32 bytes for some contracts.',
      resolve: ({ bytes }) => `0x${bytes}`,
    }),
    chainAccounts: t.field({
      ...keepable,
      type: [ChainAccount],
      description: 'The accounts with this address on all chains with an indexer.',
      complexity: (_args, { network }) => ({ field: 1, multiplier: network.chains.size }),
      resolve: ({ bytes }, _args, { network }): ChainAccountShape[] =>
        [...network.chains.values()].map((chain) => ({
          __typename: 'ChainAccount',
          chain: chainShape(chain),
          address: `0x${bytes}`,
        })),
    }),
  }),
})

builder.queryField('account', (t) =>
  t.field({
    ...keepable,
    type: Account,
    nullable: true,
    description:
      'The account at this address on all chains, used or not. Null, with an error, for a text that is not an address.',
    args: {
      address: t.arg({
        type: 'Address',
        required: true,
        description: 'Bech32 with any prefix, or hex with 0x.',
      }),
    },
    resolve: (_root, { address }) => accountAt(address),
  }),
)
