import { bech32 } from '@scure/base'
import { bech32Of } from '#words/addresses/bytes'
import type { Context } from '../../engine/graphql/builder.ts'
import { badInput } from '../../engine/upstream/error.ts'
import { isEvmChainId } from '../chain/chainId.ts'
import { chainOf, findFamily } from '../chain/knownChain.ts'
import { prefixOf } from '../chain/prefix.ts'

/**
 * The address in the form the router accepts on that chain: hex on EVM chains, bech32 on Cosmos chains, and
 * base58 on Solana. On a chain of the configuration or a registry, a hex address is converted to bech32. Other
 * Cosmos chains make accounts from keys in another way, so the bech32 form of a hex address is nobody's there.
 * On an unknown chain, an address of a known form is passed on unchanged. Throws `BAD_USER_INPUT` for any other
 * text.
 */
export async function routerAddress(context: Context, chainId: string, address: string): Promise<string> {
  if (isEvmChainId(chainId)) {
    if (isWalletHex(address)) return address
    throw badInput(`An address on chain ${chainId} is 0x followed by 40 hex digits.`, 'INVALID_ADDRESS')
  }
  const chain = chainOf(context, chainId)
  const prefix = await prefixOf(context, chain)
  if (prefix === null) return addressWithoutPrefix(context, chainId, address)
  if (isWalletHex(address) && chain.listed) {
    return bech32.encode(prefix, bech32.toWords(Buffer.from(address.slice(2), 'hex')))
  }
  if (bech32Of(address)?.prefix === prefix) return address
  throw badInput(`An address on ${chainId} is bech32 and starts with \`${prefix}1\`.`, 'INVALID_ADDRESS')
}

/** The address, if it has the form that the family of the chain has. Any form if the family is not known. */
async function addressWithoutPrefix(context: Context, chainId: string, address: string) {
  const family = await findFamily(context, chainOf(context, chainId)).catch(() => 'UNKNOWN' as const)
  const forms = {
    COSMOS: bech32Of(address) !== undefined,
    EVM: isWalletHex(address),
    SVM: isBase58(address),
  }
  const isPossible = family === 'UNKNOWN' ? Object.values(forms).includes(true) : forms[family]
  if (isPossible) return address
  throw badInput(`Invalid address for ${chainId || 'the route'}.`, 'INVALID_ADDRESS')
}

/** Checks that an argument is a Solana address. Throws `BAD_USER_INPUT` if it is not. */
export function checkBase58(address: string): string {
  if (isBase58(address)) return address
  throw badInput('A Solana address has 32 to 44 base58 characters.', 'INVALID_ADDRESS')
}

const isWalletHex = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text)

const isBase58 = (text: string): boolean => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
