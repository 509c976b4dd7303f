import { bech32 } from '@scure/base'
import type { Context } from '../../graphql/builder.ts'
import { bech32Of } from '../../graphql/scalars.ts'
import { badInput } from '../../upstream/error.ts'
import { isEvmChainId } from './routerInput.ts'

/**
 * An address in the form the router takes on that chain: bech32 on the interchain, where served chains
 * may be given hex too, and hex on EVM chains. Throws `BAD_USER_INPUT` for what can be no address of it.
 */
export function routerAddress({ network }: Context, chainId: string, address: string): string {
  if (isEvmChainId(chainId)) {
    if (isWalletHex(address)) return address
    throw badInput(`Addresses of chain ${chainId} are 0x with 40 hex digits.`)
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
      ? `Addresses of ${chainId} are bech32 and begin with \`${prefix}1\`.`
      : `What is given for ${chainId || 'the route'} is no address of any chain.`,
  )
}

/** An address of Solana, from an argument. */
export function checkBase58(address: string): string {
  if (isBase58(address)) return address
  throw badInput('Addresses of Solana are 32 to 44 characters of base58.')
}

const isWalletHex = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

const isBase58 = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
