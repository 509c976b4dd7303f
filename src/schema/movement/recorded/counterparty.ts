import { bech32Of } from '#words/addresses/bytes'
import { isOnSource, isOverBridge, type OpInitRoute, type PacketRoute } from '#words/bridges/bridgeSteps'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { FoundStep } from '../../indexer/transaction/bridgeSteps.ts'
import { loadedAssets } from '../../router/catalog.ts'

/** The chain at the other end of a step, or the indexed chains that can be it. */
export interface Counterparty {
  /** Its id. Null if it is not known. */
  readonly chainId: string | null
  /** Where its step can be: the chain itself if it is indexed, or those that fit. */
  readonly candidates: readonly ServedChain[]
}

/** The most chains that are searched for a step. */
const maxCandidates = 3

/** The other ends of channels and bridges, as the steps that were found there have shown. A chain never moves them. */
const shown = { name: 'ends of bridges', maxEntries: 10_000 }

/** Names the end of a route on its own chain. The deposits and withdrawals of a rollup go over one bridge, to one hub. */
export const endOf = (step: FoundStep): string => {
  const { chainId, route } = step
  return `${chainId} ${'source' in route ? endsOf(step, route).own : (route.bridgeId ?? 'hub')}`
}

/** Notes the chain that the other step of a transfer was found on. */
export const noteCounterparty = ({ scope }: Context, step: FoundStep, chainId: string): void =>
  scope.cache.hints.open<string>(shown).set(endOf(step), chainId)

/** Finds the other chain of a step: by settings and the chain registry, by what was found before, or by the router's assets. */
export async function findCounterparty(context: Context, step: FoundStep): Promise<Counterparty> {
  const { chains } = context.network
  const known = configuredCounterparty(context, step) ?? context.scope.cache.hints.open<string>(shown).get(endOf(step))
  const chainId = known ?? (await counterpartyOfAssets(context, step))
  if (chainId !== null) {
    const chain = chains.get(chainId)
    return { chainId, candidates: chain ? [chain] : [] }
  }
  const others = [...chains.values()].filter((chain) => chain.chainId !== step.chainId)
  const fitting = others.filter((chain) => ('source' in step.route ? fitsParty(chain, step) : fitsBridge(chain, step)))
  // A channel of the same number that leads here is no proof: many chains have a first one to the hub.
  const likely = fitting.toSorted((a, b) => Number(hasFarEnd(b, step)) - Number(hasFarEnd(a, step)))
  return { chainId: null, candidates: likely.slice(0, maxCandidates) }
}

/** The other chain by the configuration and the registry. Undefined if they do not have it. */
function configuredCounterparty({ network }: Context, step: FoundStep): string | undefined {
  const { route } = step
  if ('bridgeId' in route) return counterpartyOfBridge(network, step, route)
  return network.chains.get(step.chainId)?.ibcChannels.get(endsOf(step, route).own)
}

/** The ends of a packet: the channel of the chain of the step, and that of the other one. */
const endsOf = (step: FoundStep, route: PacketRoute) =>
  isOnSource(step) ? { own: route.source, far: route.destination } : { own: route.destination, far: route.source }

function counterpartyOfBridge({ chains, listed }: Context['network'], step: FoundStep, { bridgeId }: OpInitRoute) {
  const all = [...chains.values(), ...listed.values()]
  const own = all.find(({ chainId }) => chainId === step.chainId)
  const isRollup = bridgeId === null
  if (isRollup && own?.opInitBridgeId === undefined) return undefined
  // Several hubs give the same numbers, so a channel has to lead there too, where channels are known.
  const [counterparty, ...others] = all.filter(({ chainId, opInitBridgeId, ibcChannels }) =>
    isRollup
      ? opInitBridgeId === undefined && leadsTo(own?.ibcChannels, chainId)
      : opInitBridgeId === bridgeId && (ibcChannels.size === 0 || leadsTo(ibcChannels, step.chainId)),
  )
  return others.length === 0 ? counterparty?.chainId : undefined
}

const leadsTo = (channels: ReadonlyMap<string, string> | undefined, chainId: string): boolean =>
  [...(channels?.values() ?? [])].includes(chainId)

/** The other chain by the assets that the router lists. Null if they do not prove it. */
async function counterpartyOfAssets(context: Context, step: FoundStep): Promise<string | null> {
  const { route, chainId } = step
  if (!('source' in route) || !context.network.router) return null
  const assets = await Promise.resolve(loadedAssets(context, chainId)).catch(() => null)
  return assets?.chainBehind(endsOf(step, route).own) ?? null
}

/** Whether a chain has a channel with the number of the other end that leads to the chain of a step. */
const hasFarEnd = ({ ibcChannels }: ServedChain, step: FoundStep): boolean =>
  'source' in step.route && ibcChannels.get(endsOf(step, step.route).far) === step.chainId

/** Whether addresses of a chain are written as the party of a step on the other chain is. */
function fitsParty({ bech32Prefix }: ServedChain, step: FoundStep): boolean {
  const address = isOnSource(step) ? step.receiver : step.sender
  const prefix = address === null ? undefined : bech32Of(address)?.prefix
  return bech32Prefix === undefined || prefix === undefined || prefix === bech32Prefix
}

/** Whether a chain can be the hub or the rollup at the other end of a step. */
function fitsBridge(chain: ServedChain, step: FoundStep): boolean {
  const { route } = step
  if (!('bridgeId' in route) || route.bridgeId === null) return chain.opInitBridgeId === undefined
  return chain.opInitBridgeId === undefined || isOverBridge(step, chain.opInitBridgeId)
}
