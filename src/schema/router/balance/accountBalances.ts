import { bech32Of } from '#words/addresses/bytes'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { badInput, GatewayError } from '../../../engine/upstream/error.ts'
import { Account, type AccountShape } from '../../account/account.ts'
import { addressOn } from '../../account/address.ts'
import { sumDecimals } from '../../amount/decimal.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { assertKnown, type ChainShape, chainOf } from '../../chain/knownChain.ts'
import { prefixOf } from '../../chain/prefix.ts'
import { withinShare } from '../../indexer/accounts/chainShare.ts'
import {
  reportUnavailable,
  UnavailableChain,
  type UnavailableChainShape,
  unavailableChains,
  unavailableField,
} from '../../indexer/accounts/unavailable.ts'
import { Balance } from './balance.ts'
import { type BalanceRecord, loadBalances } from './balanceLoader.ts'
import { BalanceExclusion, dollarsOf, type Exclusion, exclusions, findExclusion } from './exclusion.ts'

/** The balances of an address on several chains. */
export interface AccountBalances {
  readonly balances: readonly BalanceRecord[]
  readonly unavailable: readonly UnavailableChainShape[]
}

/** Most chains in one request. */
const maxChains = 100

/** The chains with these ids, or all with an indexer. Throws `BAD_USER_INPUT` for too many. */
export function chosenChains(context: Context, ids: readonly string[] | null | undefined): string[] {
  if (!ids) return [...context.network.chains.keys()]
  const chosen = [...new Set(ids.map(checkChainId))]
  if (chosen.length <= maxChains) return chosen
  throw badInput(`\`chainIds\` has at most ${maxChains} entries.`, 'TOO_MANY_ENTRIES')
}

/** The address of an account on a chain: as it was written, if nobody knows the prefix of the chain. */
async function findAddress(context: Context, chain: ChainShape, { bytes, written }: AccountShape) {
  const isWritten = written !== undefined && bech32Of(written) !== undefined
  if (isWritten && (await prefixOf(context, chain)) === null) return written
  return addressOn(context, chain, `0x${bytes}`)
}

/** The balances on one chain. Throws if they cannot be read. */
async function balancesOn(context: Context, chainId: string, account: AccountShape) {
  const chain = chainOf(context, chainId)
  const address = await findAddress(context, chain, account)
  const balances = await loadBalances(context, { __typename: 'ChainAccount', chain, address }, [])
  if (balances) return balances
  throw new GatewayError('UPSTREAM_REJECTED', `The router does not reach ${chainId}.`, {
    service: 'router',
  })
}

/** The balances of an account on these chains, and the chains that could not be read. */
export async function loadAllBalances(
  context: Context,
  account: AccountShape,
  chainIds: readonly string[],
): Promise<AccountBalances> {
  await Promise.all(chainIds.map((chainId) => assertKnown(context, chainId)))
  const errors = new Map<string, unknown>()
  const balances = await Promise.all(
    chainIds.map((chainId) =>
      withinShare(context, 'router', () => balancesOn(context, chainId, account)).catch((error: unknown) => {
        errors.set(chainId, error)
        return []
      }),
    ),
  )
  return { balances: balances.flat(), unavailable: unavailableChains(errors) }
}

/** The balances that a total leaves out for one reason. */
interface ExcludedBalances {
  readonly reason: Exclusion
  readonly balances: readonly BalanceRecord[]
}

const valuesOf = (balances: readonly BalanceRecord[]): string[] =>
  balances.flatMap((balance) => dollarsOf(balance) ?? [])

/** The balances that a total leaves out for each reason, or under null those that are in it. */
async function byExclusion(context: Context, { balances }: AccountBalances) {
  const reasons = await Promise.all(balances.map((each) => findExclusion(context, each)))
  return (reason: Exclusion | null) => balances.filter((_, index) => reasons[index] === reason)
}

const ExcludedBalancesType = builder.objectRef<ExcludedBalances>('ExcludedBalances').implement({
  description: 'The balances that a total leaves out for one reason.',
  fields: (t) => ({
    reason: t.value(BalanceExclusion, 'Why they are left out.', ({ reason }) => reason),
    count: t.value('UInt53', 'Number of these balances.', ({ balances }) => balances.length),
    usdValue: t.nullable(
      'Decimal',
      'Exact sum of their values in US dollars. Null if none has a value.',
      ({ balances }) => {
        const values = valuesOf(balances)
        return values.length > 0 ? sumDecimals(values) : null
      },
    ),
  }),
})

/** The balances of an address on several chains, with their total. */
export const AccountBalancesType = builder.objectRef<AccountBalances>('AccountBalances').implement({
  description: 'Balances of an address on several chains.',
  fields: (t) => ({
    balances: t.value([Balance], 'The balances, chain by chain.', ({ balances }) => balances),
    count: t.value('UInt53', 'Number of balances.', ({ balances }) => balances.length),
    pricedCount: t.value(
      'UInt53',
      'Number of balances with a value, in the total or not.',
      ({ balances }) => valuesOf(balances).length,
    ),
    usdValue: t.nullable(
      'Decimal',
      'Exact total in US dollars of the balances whose `exclusion` is null. Null if no balance is, unless all chains were read and have none. Null, with an error, without the list of assets.',
      async (all, _args, context) => {
        const values = valuesOf((await byExclusion(context, all))(null))
        const isEmpty = all.balances.length === 0 && all.unavailable.length === 0
        return values.length > 0 || isEmpty ? sumDecimals(values) : null
      },
    ),
    excluded: t.nullable(
      [ExcludedBalancesType],
      'What the total leaves out, for each reason that applies. Null, with an error, without the list of assets.',
      async (all, _args, context) => {
        const of = await byExclusion(context, all)
        return exclusions
          .map((reason) => ({ reason, balances: of(reason) }))
          .filter(({ balances }) => balances.length > 0)
      },
    ),
    [unavailableField]: t.value(
      [UnavailableChain],
      'Chains whose balances could not be read. `errors` names them unless you select this.',
      ({ unavailable }) => unavailable,
    ),
  }),
})

builder.objectField(Account, 'balances', (t) =>
  t.field({
    type: AccountBalancesType,
    nullable: true,
    description: 'Current balances on several chains, without zeros. They cost one upstream request together.',
    args: {
      chainIds: t.arg({
        type: ['ChainId'],
        description: 'At most 100 chains, indexed or not. Default: all of `Query.chains`.',
      }),
    },
    complexity: ({ chainIds }, { network }) => ({
      field: callCost,
      multiplier: 20 * (chainIds?.length ?? network.chains.size),
    }),
    resolve: async (account, { chainIds }, context, info) => {
      const all = await loadAllBalances(context, account, chosenChains(context, chainIds))
      reportUnavailable(context, info, all.unavailable)
      return all
    },
  }),
)
