import { z } from 'zod'
import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { decode } from '../../upstream/compiledSchema.ts'
import { integer } from '../../upstream/decode.ts'
import { badInput } from '../../upstream/error.ts'
import { lenient, lenientInt, lenientString } from '../../upstream/lenient.ts'
import { post } from '../../upstream/request.ts'
import { Account, type AccountShape } from '../account/account.ts'
import { nativeAddress } from '../account/address.ts'
import { Asset, assetOf } from './asset.ts'
import { routerOf } from './routerInput.ts'

const entry = z.object({
  amount: integer,
  decimals: lenientInt,
  formatted_amount: lenientString,
  price: lenientString,
  price_usd: lenientString,
  value_usd: lenientString,
})

const balances = z.object({
  chains: z.record(
    z.string(),
    z.object({ denoms: z.record(z.string(), lenient(entry)).nullish() }).nullish(),
  ),
})

interface BalanceShape extends z.output<typeof entry> {
  readonly chainId: string
  readonly denom: string
}

/** Most denoms in one request. */
const maxDenoms = 100

async function loadBalances(
  context: Context,
  { chain, address }: AccountShape,
  denoms: readonly string[],
): Promise<BalanceShape[] | null> {
  if (denoms.length > maxDenoms) throw badInput(`\`denoms\` has at most ${maxDenoms} entries.`)
  const { chainId } = chain
  const nativeForm = await nativeAddress(context, chain, address)
  const request = {
    chains: { [chainId]: { address: nativeForm, denoms } },
  }
  const response = await context.scope.fetch(
    routerOf(context),
    post('/v2/info/balances', JSON.stringify(request), (body) => decode(balances, body)),
  )
  const chainBalances = response?.chains[chainId]
  if (!chainBalances) return null
  return Object.entries(chainBalances.denoms ?? {}).flatMap(([denom, balance]) =>
    balance ? [{ ...balance, chainId, denom }] : [],
  )
}

const Balance = builder.objectRef<BalanceShape>('Balance').implement({
  description: "An account's balance of one denom, as the router reports it.",
  fields: (t) => ({
    denom: t.exposeString('denom', { description: 'Base denom, or contract address.' }),
    amount: t.expose('amount', { type: 'BigInt', description: 'Amount in base units.' }),
    formattedAmount: t.exposeString('formatted_amount', {
      nullable: true,
      description:
        'Amount in whole units, with a decimal point. Null if the router does not report it.',
    }),
    decimals: t.exposeInt('decimals', {
      nullable: true,
      description: 'Number of decimal places. Null if the router does not report it.',
    }),
    usdPrice: t.string({
      nullable: true,
      description: 'Price of one whole unit in US dollars. Null if the router does not report it.',
      resolve: ({ price, price_usd }) => price ?? price_usd,
    }),
    usdValue: t.exposeString('value_usd', {
      nullable: true,
      description: 'Value of the amount in US dollars. Null if the router does not report it.',
    }),
    asset: t.field({
      type: Asset,
      nullable: true,
      description:
        "The router's record of the denom: symbol, decimals, logo. Null if the router does not know it.",
      resolve: ({ chainId, denom }, _args, context) => assetOf(context, chainId, denom),
    }),
  }),
})

builder.objectField(Account, 'balances', (t) =>
  t.field({
    type: [Balance],
    nullable: true,
    description:
      'Current balances, as the router reports them. Denoms with a zero balance are left out. Null if the router does not reach the chain. Costs one upstream request.',
    args: {
      denoms: t.arg.stringList({
        description: 'Return only these denoms, at most 100. All denoms by default.',
      }),
    },
    complexity: { field: callCost, multiplier: 20 },
    resolve: (account, { denoms }, context) => loadBalances(context, account, denoms ?? []),
  }),
)
