import { bech32Of } from '#words/addresses'
import { isOnSource, isOverBridge, type OpInitWay, type PacketWay } from '#words/bridges'
import type { Context } from '../../engine/graphql/builder.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { loadedAssets } from '../router/catalog.ts'
import type { FoundStep } from './foundStep.ts'

/** The chain at the other end of a step, or the indexed chains that can be it. */
export interface Peer {
  /** Its id. Null if it is not known. */
  readonly chainId: string | null
  /** Where its step can be: the chain itself if it is indexed, or those that fit. */
  readonly candidates: readonly ServedChain[]
}

/** The most chains that are searched for a step. */
const maxCandidates = 3

/** The other ends of channels and bridges, as the steps that were found there have shown. A chain never moves them. */
const shown = { name: 'ends of bridges', maxEntries: 10_000 }

/** Names the end of a way on its own chain. The deposits and withdrawals of a rollup go over one bridge, to one hub. */
export const endOf = ({ chainId, way, ...step }: FoundStep): string => {
  if (way.bridge === 'IBC') return `${chainId} ${isOnSource(step) ? way.source : way.destination}`
  return `${chainId} ${way.bridgeId ?? 'hub'}`
}

/** Notes the chain that the other step of a transfer was found on. */
export const notePeer = ({ scope }: Context, step: FoundStep, chainId: string): void =>
  scope.cache.hints.open<string>(shown).set(endOf(step), chainId)

/** Finds the other chain of a step: by settings and the chain registry, by what was found before, or by the router's assets. */
export async function findPeer(context: Context, step: FoundStep): Promise<Peer> {
  const { chains } = context.network
  const known = configuredPeer(context, step) ?? context.scope.cache.hints.open<string>(shown).get(endOf(step))
  const chainId = known ?? (await peerOfAssets(context, step))
  if (chainId !== null) {
    const chain = chains.get(chainId)
    return { chainId, candidates: chain ? [chain] : [] }
  }
  const others = [...chains.values()].filter((chain) => chain.chainId !== step.chainId)
  const fitting = others.filter((chain) =>
    step.way.bridge === 'IBC' ? fitsParty(chain, step) : fitsBridge(chain, step),
  )
  return { chainId: null, candidates: fitting.slice(0, maxCandidates) }
}

/** The other chain by the configuration and the registry. Undefined if they do not have it. */
function configuredPeer({ network }: Context, step: FoundStep): string | undefined {
  const { way } = step
  return way.bridge === 'IBC' ? peerOfChannel(network, step, way) : peerOfBridge(network, step, way)
}

function peerOfChannel({ chains, listed }: Context['network'], step: FoundStep, way: PacketWay): string | undefined {
  const [own, far] = isOnSource(step) ? [way.source, way.destination] : [way.destination, way.source]
  const named = chains.get(step.chainId)?.ibcChannels.get(own)
  if (named !== undefined) return named
  const naming = [...chains.values(), ...listed.values()].filter(
    ({ ibcChannels }) => ibcChannels.get(far) === step.chainId,
  )
  return naming.length === 1 ? naming[0]?.chainId : undefined
}

function peerOfBridge({ chains, listed }: Context['network'], step: FoundStep, { bridgeId }: OpInitWay) {
  const all = [...chains.values(), ...listed.values()]
  if (bridgeId === null) {
    // Only a hub has no bridge of its own. Channels lead there.
    const own = chains.get(step.chainId)
    const hubs = new Set(
      [...(own?.ibcChannels.values() ?? [])].filter((id) => chains.get(id)?.opInitBridgeId === undefined),
    )
    const [hub, ...others] = hubs
    return others.length === 0 && own?.opInitBridgeId !== undefined ? hub : undefined
  }
  const rollups = all.filter((chain) => chain.opInitBridgeId === bridgeId)
  const [rollup, ...others] =
    rollups.length > 1 ? rollups.filter((chain) => hasChannelTo(chain.ibcChannels, step.chainId)) : rollups
  return others.length === 0 ? rollup?.chainId : undefined
}

const hasChannelTo = (channels: ReadonlyMap<string, string>, chainId: string): boolean =>
  [...channels.values()].includes(chainId)

/** The other chain by the assets that the router lists. Null if they do not prove it. */
async function peerOfAssets(context: Context, step: FoundStep): Promise<string | null> {
  const { way, chainId } = step
  if (way.bridge !== 'IBC' || !context.network.router) return null
  const assets = await Promise.resolve(loadedAssets(context, chainId)).catch(() => null)
  return assets?.chainBehind(isOnSource(step) ? way.source : way.destination) ?? null
}

/** Whether addresses of a chain are written as the party of a step on the other chain is. */
function fitsParty({ bech32Prefix }: ServedChain, step: FoundStep): boolean {
  const address = isOnSource(step) ? step.receiver : step.sender
  const prefix = address === null ? undefined : bech32Of(address)?.prefix
  return bech32Prefix === undefined || prefix === undefined || prefix === bech32Prefix
}

/** Whether a chain can be the hub or the rollup at the other end of a step. */
function fitsBridge(chain: ServedChain, step: FoundStep): boolean {
  const { way } = step
  if (way.bridge !== 'OPINIT' || way.bridgeId === null) return chain.opInitBridgeId === undefined
  return chain.opInitBridgeId === undefined || isOverBridge(step, chain.opInitBridgeId)
}
