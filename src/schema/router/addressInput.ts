import { bech32 } from '@scure/base'
import type { Context } from '../../graphql/builder.ts'
import { bech32Of } from '../../graphql/scalars.ts'
import { badInput } from '../../upstream/error.ts'
import { isEvmChainId } from '../chain/chainId.ts'

/**
 * The address in the form the router accepts on that chain: hex on EVM chains, bech32 on Cosmos chains.
 * On a chain that this gateway serves, a hex address is converted to bech32. On any other chain, an
 * address of a known form is passed on unchanged. Throws `BAD_USER_INPUT` for any other text.
 */
export function routerAddress({ network }: Context, chainId: string, address: string): string {
  if (isEvmChainId(chainId)) {
    if (isWalletHex(address)) return address
    throw badInput(`An address on chain ${chainId} is 0x followed by 40 hex digits.`)
  }
  const prefix = network.chains.get(chainId)?.bech32Prefix
  if (isWalletHex(address) && prefix) {
    return bech32.encode(prefix, bech32.toWords(Buffer.from(address.slice(2), 'hex')))
  }
  const parsed = bech32Of(address)
  const isLikely = prefix
    ? parsed?.prefix === prefix
    : parsed || isWalletHex(address) || isBase58(address)
  if (isLikely) return address
  throw badInput(
    prefix
      ? `An address on ${chainId} is bech32 and starts with \`${prefix}1\`.`
      : `Invalid address for ${chainId || 'the route'}.`,
  )
}

/** Checks that an argument is a Solana address. Throws `BAD_USER_INPUT` if it is not. */
export function checkBase58(address: string): string {
  if (isBase58(address)) return address
  throw badInput('A Solana address has 32 to 44 base58 characters.')
}

const isWalletHex = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

const isBase58 = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
