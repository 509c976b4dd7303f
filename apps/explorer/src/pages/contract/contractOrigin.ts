import type { ContractOriginQuery } from '../../generated/graphql.ts'

/** The oldest transaction of a contract, and who created it. Undefined is what the oldest records do not say. */
export interface ContractOrigin {
  readonly creator: string | undefined
  readonly first: { readonly hash: string; readonly timestamp?: string | null } | undefined
}

type Account = NonNullable<NonNullable<ContractOriginQuery['chain']>['account']>

/**
 * Reads where a contract comes from. Its creator is the sender of the transaction that created it, the contract whose call
 * inside another one did, or the signer of the transaction whose events say so.
 */
export function originOf(
  { evmTransactions, evmInternalTransactions, transactions }: Account,
  address: string,
): ContractOrigin {
  const isIt = (other: string | null | undefined) => other?.toLowerCase() === address.toLowerCase()
  const evm = evmTransactions?.nodes[0] ?? undefined
  const call = evmInternalTransactions?.nodes[0]
  const cosmos = transactions?.nodes[0] ?? undefined
  const isInstantiated = cosmos?.events?.some(({ attributes }) =>
    attributes?.some(({ key, value }) => key === '_contract_address' && isIt(value)),
  )
  const creators = [
    isIt(evm?.createdContract?.address) && evm?.from?.address,
    call?.kind.startsWith('CREATE') && isIt(call.to?.address) && call.from?.address,
    isInstantiated && cosmos?.signers?.[0]?.account?.address,
  ]
  return { creator: creators.flatMap((creator) => creator || [])[0], first: evm ?? cosmos }
}
