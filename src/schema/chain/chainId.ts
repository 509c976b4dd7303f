import { badInput } from '../../engine/upstream/error.ts'

/** Checks the form of a chain id from an argument. The gateway need not know the chain. */
export function checkChainId(chainId: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(chainId)) return chainId
  throw badInput('A chain id has at most 64 letters, digits, dots, dashes and underscores.', 'INVALID_CHAIN_ID')
}

/** Whether the id is an EVM chain number, such as `1` for Ethereum. A Cosmos chain has a name. */
export const isEvmChainId = (chainId: string): boolean => /^\d+$/.test(chainId)
