import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { indexBy } from '../chain/lookup.ts'

interface Indexed {
  readonly denom: string
  readonly trace: string | null
  readonly origin_denom: string | null
  readonly origin_chain_id: string | null
}

/** The facts on neighboring chains that a list of assets proves. */
export interface ChannelIndex {
  /** The other chain of an IBC channel. Null if no asset of the list proves it. */
  chainBehind(channel: string): string | null
}

/** Finds where channels of one chain lead. Hashing all denoms takes milliseconds, so it waits until it is needed. */
export function channelIndex<Body extends Indexed>(all: readonly Body[]): ChannelIndex {
  const byTrace = once(() => indexBy(all.filter(isDirect), ({ trace }) => trace ?? ''))
  return {
    chainBehind: (channel) => byTrace().find(`transfer/${channel}`)?.origin_chain_id ?? null,
  }
}

/**
 * Whether an asset came over IBC straight from its chain of origin. Its trace alone is no proof, since traces omit
 * other bridges. The denom is a hash of the whole path: see ADR-001 of ibc-go.
 */
const isDirect = ({ denom, trace, origin_denom, origin_chain_id }: Indexed): boolean =>
  origin_chain_id !== null &&
  trace?.split('/').length === 2 &&
  denom === `ibc/${bytesToHex(sha256(utf8ToBytes(`${trace}/${origin_denom}`))).toUpperCase()}`

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
