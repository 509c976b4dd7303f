import { pick } from '../random.ts'
import type { World } from '../world/world.ts'
import { accountHex } from './addresses.ts'
import { assetKey, type RouterAsset, usdOf } from './assets.ts'
import { fieldReader, isJsonObject, type JsonObject, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { invalidArgument, validationError } from './replyError.ts'

/**
 * The reply to POST /v2/info/balances. An empty list of denoms requests all of them. Denoms with a
 * balance of zero are left out. Both forms of an address have the same balances.
 */
export function balancesReply(network: Network, worlds: readonly World[], seed: string, text: string): JsonObject {
  const { chains } = parseJsonObject(text)
  if (!isJsonObject(chains)) throw validationError(['chains must be an object'])
  const worldOf = (chainId: string) => worlds.find(({ chain }) => chain.chainId === chainId)
  const knownDenom = (denom: string) => (/^evm\//i.test(denom) ? denom.toLowerCase() : denom)
  /** The balance that follows from the transactions of a chain, where they move the asset. */
  const indexed = ({ chainId, denom }: RouterAsset, hex: string) => {
    const world = worldOf(chainId)
    return world?.holders.balanceAt(`0x${hex}`, knownDenom(denom), world.height())
  }
  /** What its transactions added to another balance. */
  const changeOf = ({ chainId, denom }: RouterAsset, hex: string) => {
    const world = worldOf(chainId)
    return world?.holders.changeAt(`0x${hex}`, knownDenom(denom), world.height()) ?? 0n
  }
  const entries = Object.entries(chains).map(([chainId, account]) => {
    const chain = network.chains.get(chainId)
    if (chain === undefined) throw invalidArgument('Invalid chain_id')
    if (!isJsonObject(account)) throw validationError([`chains.${chainId} must be an object`])
    const fields = fieldReader(account)
    const address = fields.text('address')
    const denoms = fields.has('denoms') ? fields.list('denoms') : []
    fields.check()
    const hex = accountHex(chain, address)
    if (hex === undefined) throw invalidArgument(`invalid address for chain ${chainId}`)
    const known = (denom: string) =>
      network.assets.get(assetKey(chainId, denom)) ??
      network.unlisted.find((asset) => asset.chainId === chainId && asset.denom === denom)
    const assets =
      denoms.length === 0
        ? [...network.assets.values(), ...network.unlisted].filter((asset) => asset.chainId === chainId)
        : denoms.flatMap((denom) => known(`${denom}`) ?? [])
    const balances = assets.flatMap((asset) => {
      const isGiven = network.unlisted.includes(asset)
      const amount = indexed(asset, hex) ?? balanceOf(seed, hex, asset, isGiven) + changeOf(asset, hex)
      return amount === 0n ? [] : [[asset.denom, entryOf(asset, amount)] as const]
    })
    return [chainId, { address, denoms: Object.fromEntries(balances) }] as const
  })
  return { chains: Object.fromEntries(entries) }
}

/**
 * Two accounts in three hold an asset, worth up to about 2000 USD, and all hold one that was given to all. Those that begin
 * with eight bytes of zero hold nothing.
 */
function balanceOf(seed: string, account: string, asset: RouterAsset, isGiven: boolean): bigint {
  if (account.startsWith('0'.repeat(16))) return 0n
  const parts = ['balance', seed, account, asset.chainId, asset.denom]
  if (!isGiven && pick(3, ...parts) === 0) return 0n
  const micros = Math.round((pick(2_000_000, ...parts, 'size') / asset.token.usd) * 1e3)
  return (BigInt(micros) * 10n ** BigInt(asset.decimals)) / 1_000_000n
}

function entryOf(asset: RouterAsset, amount: bigint): JsonObject {
  const digits = `${amount}`.padStart(asset.decimals + 1, '0')
  const point = digits.length - asset.decimals
  const usd = usdOf(asset, amount)
  return {
    amount: `${amount}`,
    formatted_amount: `${digits.slice(0, point)}.${digits.slice(point)}`,
    decimals: asset.decimals,
    ...(usd === undefined ? {} : { price: `${asset.token.usd}`, value_usd: usd.toFixed(2) }),
  }
}
