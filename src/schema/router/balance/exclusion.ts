import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { isProvenVoucher } from '../asset/channels.ts'
import { loadedAssets } from '../catalog.ts'
import { Balance } from './balance.ts'
import type { BalanceRecord } from './balanceLoader.ts'

/** Why a balance is in no total. */
export type Exclusion = 'UNREADABLE' | 'UNLISTED' | 'HIDDEN' | 'UNPRICED'

/** The reasons, in the order in which they are looked for. */
export const exclusions: readonly Exclusion[] = ['UNREADABLE', 'UNLISTED', 'HIDDEN', 'UNPRICED']

export const BalanceExclusion = builder.enumType('BalanceExclusion', {
  description: 'Why a balance is left out of `AccountBalances.usdValue`: the first that applies.',
  values: {
    UNREADABLE: { description: 'The router could not read it.' },
    UNLISTED: { description: 'The router does not list the asset: anybody can make and send one.' },
    HIDDEN: {
      description:
        'The router asks to hide the asset, and nothing proves that it is a listed asset that came over known IBC channels.',
    },
    UNPRICED: { description: 'The router has no value for it.' },
  },
})

/** The value in US dollars that the router gives a balance. Null if it has none, or one that cannot be read. */
export const dollarsOf = ({ error, value_usd }: BalanceRecord): string | null =>
  error === null ? ifReadable(value_usd) : null

/**
 * Why a balance is left out of totals. Null if it counts. Rejects if the list of assets cannot be loaded, because real
 * tokens and tokens with their names cannot be told apart then.
 */
export async function findExclusion(context: Context, balance: BalanceRecord): Promise<Exclusion | null> {
  if (balance.error !== null) return 'UNREADABLE'
  const listOf = (chainId: string) => loadedAssets(context, chainId)
  const asset = (await listOf(balance.chainId)).find(balance.denom)
  if (asset === null) return 'UNLISTED'
  if (asset.hidden && !(await isProvenVoucher(asset, listOf))) return 'HIDDEN'
  return dollarsOf(balance) === null ? 'UNPRICED' : null
}

builder.objectField(Balance, 'exclusion', (t) =>
  t.nullable(
    BalanceExclusion,
    'Why it is left out of `AccountBalances.usdValue`. Null if it is in, or, with an error, without the list of assets.',
    (balance, _args, context) => findExclusion(context, balance),
  ),
)
