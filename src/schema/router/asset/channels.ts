import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { ifReadable, type Optional } from '../../../engine/wire/optional.ts'
import { indexBy } from '../../chain/lookup.ts'

/** What the channels of a chain are known from. */
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
  let byTrace: ReturnType<typeof directByTrace<Body>> | undefined
  return {
    chainBehind(channel) {
      byTrace ??= directByTrace(all)
      return ifReadable(byTrace.find(`transfer/${channel}`)?.origin_chain_id)
    },
  }
}

const directByTrace = <Body extends Indexed>(all: readonly Body[]) =>
  indexBy(all.filter(isDirect), ({ trace }) => ifReadable(trace) ?? '')

/** The denom of a coin that came over IBC: a hash of its whole path and base denom. See ADR-001 of ibc-go. */
const makeVoucher = (trace: string, base: string): string =>
  `ibc/${bytesToHex(sha256(utf8ToBytes(`${trace}/${base}`))).toUpperCase()}`

/**
 * Whether an asset came over IBC straight from its chain of origin. Its trace alone is no proof, since traces omit
 * other bridges: its denom is.
 */
export function isDirect({ denom, origin_chain_id, ...asset }: Indexed): boolean {
  const [trace, origin] = [ifReadable(asset.trace), ifReadable(asset.origin_denom)]
  if (ifReadable(origin_chain_id) === null || trace?.split('/').length !== 2) return false
  return denom === makeVoucher(trace, `${origin}`)
}

/** The assets of a chain, and where its channels lead. */
export interface NeighborList extends ChannelIndex {
  readonly all: readonly (Indexed & { readonly hidden: boolean })[]
}

/**
 * Whether the denom of a coin that came over IBC proves that it is an asset of a list, by whatever way it came: each channel
 * of its path is known, and the chain at the other end lists the same asset under the denom in the path. A name, a symbol
 * or a path that an issuer claims is no proof.
 */
export async function isProvenVoucher(
  asset: Indexed & { readonly chain_id: string },
  listOf: (chainId: string) => PromiseLike<NeighborList> | NeighborList,
): Promise<boolean> {
  const trace = ifReadable(asset.trace)
  const [chainId, denom] = [ifReadable(asset.origin_chain_id), ifReadable(asset.origin_denom)]
  if (!trace || chainId === null || denom === null) return false
  let list = await listOf(asset.chain_id)
  for (const [, channel = ''] of trace.matchAll(/transfer\/([^/]+)/g)) {
    const next = list.chainBehind(channel)
    if (next === null) return false
    list = await listOf(next)
  }
  return list.all.some(
    (base) =>
      !base.hidden &&
      ifReadable(base.origin_chain_id) === chainId &&
      ifReadable(base.origin_denom) === denom &&
      makeVoucher(trace, base.denom) === asset.denom,
  )
}
