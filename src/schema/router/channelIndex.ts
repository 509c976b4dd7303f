import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { ifReadable, type Optional } from '../../wire/optional.ts'
import { indexBy } from '../chain/lookup.ts'

interface Indexed {
  readonly denom: string
  readonly trace: Optional<string>
  readonly origin_denom: Optional<string>
  readonly origin_chain_id: Optional<string>
}

/** The facts on neighboring chains that a list of assets proves. */
export interface ChannelIndex {
  /** The other chain of an IBC channel. Null if no asset of the list proves it. */
  chainBehind(channel: string): string | null
}

/** Finds where channels of one chain lead. Hashing all denoms takes milliseconds, so it waits until it is needed. */
export function channelIndex<Body extends Indexed>(all: readonly Body[]): ChannelIndex {
  const byTrace = once(() => indexBy(all.filter(isDirect), ({ trace }) => ifReadable(trace) ?? ''))
  return {
    chainBehind: (channel) => ifReadable(byTrace().find(`transfer/${channel}`)?.origin_chain_id),
  }
}

/**
 * Whether an asset came over IBC straight from its chain of origin. Its trace alone is no proof, since traces omit
 * other bridges. The denom is a hash of the whole path: see ADR-001 of ibc-go.
 */
function isDirect({ denom, origin_chain_id, ...asset }: Indexed): boolean {
  const [trace, origin] = [ifReadable(asset.trace), ifReadable(asset.origin_denom)]
  if (ifReadable(origin_chain_id) === null || trace?.split('/').length !== 2) return false
  return denom === `ibc/${bytesToHex(sha256(utf8ToBytes(`${trace}/${origin}`))).toUpperCase()}`
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
