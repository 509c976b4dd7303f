import { badInput, GatewayError } from '../../../engine/upstream/error.ts'
import type { Network, ServedChain } from '../../../engine/upstream/network.ts'
import { mapIterator, resubscribe } from '../../../engine/watch/iterators.ts'

/**
 * Follows something of a chain, and opens it again whenever the client of the chain is replaced. Throws
 * `BAD_USER_INPUT` if this gateway does not serve the chain. Ends with an error if the chain is removed.
 */
export function followChain<T, R>(
  network: Pick<Network, 'chains' | 'onMoved'>,
  chainId: string,
  open: (chain: ServedChain) => AsyncIterableIterator<T>,
  eventOf: (value: T, chain: ServedChain) => R,
): AsyncIterableIterator<R> {
  let chain = chainToWatch(network, chainId)
  const reopen = () => {
    chain = followedChain(network, chainId)
    return open(chain)
  }
  const values = resubscribe(reopen, onSourceReplaced(network, [chainId]))
  return mapIterator(values, (value) => eventOf(value, chain))
}

/** The chain with this id, for subscriptions that outlive the replacement of its client. Throws if the chain is gone. */
export function followedChain({ chains }: Pick<Network, 'chains'>, chainId: string): ServedChain {
  const chain = chains.get(chainId)
  if (chain) return chain
  throw goneError(chainId)
}

/** The error for a chain that is no longer served. */
export const goneError = (chainId: string): GatewayError =>
  new GatewayError('UPSTREAM_UNAVAILABLE', `${chainId} is no longer served.`, {
    service: chainId,
    reason: 'CHAIN_REMOVED',
  })

/** Whether an error says that a chain is no longer served. */
export const isGone = (error: unknown): boolean => error instanceof GatewayError && error.reason === 'CHAIN_REMOVED'

/** Calls a listener when the client of one of these chains is replaced, or the chain is gone. */
export const onSourceReplaced =
  ({ onMoved }: Pick<Network, 'onMoved'>, chainIds: Iterable<string>) =>
  (listener: () => void): (() => void) => {
    const ids = [...chainIds]
    return onMoved((moved) => {
      if (ids.some((id) => moved.has(id))) listener()
    })
  }

/** The chain with this id. Throws `BAD_USER_INPUT` if this gateway does not serve it. */
export function chainToWatch({ chains }: Pick<Network, 'chains'>, chainId: string): ServedChain {
  const chain = chains.get(chainId)
  if (!chain)
    throw badInput('This gateway does not serve that chain. `chains` has those it serves.', 'CHAIN_NOT_INDEXED')
  return chain
}
