import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { badInput, GatewayError } from '../../../engine/upstream/error.ts'
import { ChainAccount, type ChainAccountShape } from '../../account/chainAccount.ts'
import { AssetAmount, knownAmount } from '../../amount/assetAmount.ts'
import { formattedAmount } from '../asset/assetAmount.ts'
import { refuseSymbol } from '../asset/symbolHint.ts'
import { chainField, ifSent } from '../routerFields.ts'
import { type BalanceRecord, loadBalances, unreadableBalance } from './balanceLoader.ts'

/** Most denoms in one request. */
const maxDenoms = 100

async function loadCheckedBalances(context: Context, account: ChainAccountShape, denoms: readonly string[]) {
  if (denoms.length > maxDenoms) throw badInput(`\`denoms\` has at most ${maxDenoms} entries.`, 'TOO_MANY_ENTRIES')
  await Promise.all(denoms.map((denom) => refuseSymbol(context, account.chain.chainId, denom)))
  return loadBalances(context, account, denoms)
}

/** The amount. Throws if the router could not read it: an unknown balance is not 0. */
function amountOf(balance: BalanceRecord): bigint {
  const { error } = balance
  if (error !== null) throw unreadableBalance('The router could not read this balance.', error)
  const amount = knownAmount(balance)
  if (amount !== null) return amount
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', 'The router sent no amount for this balance.', {
    service: 'router',
  })
}

export const Balance = builder.objectRef<BalanceRecord>('Balance').implement({
  description: 'A balance of one denom.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    chain: chainField(t, 'The chain of the balance', ({ chainId }) => chainId),
    denom: t.nullable('Denom', 'Base denom, or contract address.', ({ denom }) => denom),
    amount: t.nullable('BigInt', 'Amount in base units. Null, with an error, if unreadable.', amountOf),
    formattedAmount: t.nullable(
      'Decimal',
      'Amount in whole units. Null if its decimals are unknown.',
      (balance, _args, context) => (balance.error === null ? formattedAmount(balance, context) : null),
    ),
    decimals: ifSent(t, 'Int', 'Number of decimal places, from 0 to 77.', ({ decimals }) => decimals),
    usdPrice: ifSent(t, 'Decimal', 'US dollars for one whole unit.', ({ price, price_usd }) => price ?? price_usd),
    usdValue: ifSent(t, 'Decimal', 'Value in US dollars.', ({ error, value_usd }) =>
      error === null ? value_usd : null,
    ),
  }),
})

builder.objectField(ChainAccount, 'balances', (t) =>
  t.field({
    type: [Balance],
    nullable: true,
    description:
      'Current balances, without zeros. Null if the router does not reach it. Accounts on different chains cost one upstream request together.',
    args: {
      denoms: t.arg({
        type: ['Denom'],
        description: 'Return only these denoms, at most 100. All denoms by default.',
      }),
    },
    complexity: { field: callCost, multiplier: 20 },
    resolve: (account, { denoms }, context) => loadCheckedBalances(context, account, denoms ?? []),
  }),
)
