import { z } from 'zod'
import { builder, type Context, callCost } from '../../graphql/builder.ts'
import { integer } from '../../upstream/decode.ts'
import { badInput } from '../../upstream/error.ts'
import { lenient, lenientInt, lenientString } from '../../upstream/lenient.ts'
import { post } from '../../upstream/request.ts'
import { Account, type AccountShape } from '../indexer/account.ts'
import { routerAddress } from './addressInput.ts'
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

const maxDenoms = 100

async function loadBalances(
  context: Context,
  { chain, address }: AccountShape,
  denoms: readonly string[],
): Promise<BalanceShape[] | null> {
  if (denoms.length > maxDenoms) throw badInput(`At most ${maxDenoms} denoms go into one list.`)
  const { chainId } = chain
  const asked = { address: routerAddress(context, chainId, address), denoms }
  const found = await context.scope.fetch(
    routerOf(context),
    post('/v2/info/balances', JSON.stringify({ chains: { [chainId]: asked } }), (answer) =>
      balances.parse(answer),
    ),
  )
  const own = found?.chains[chainId]
  if (!own) return null
  return Object.entries(own.denoms ?? {}).flatMap(([denom, read]) =>
    read ? [{ ...read, chainId, denom }] : [],
  )
}

const Balance = builder.objectRef<BalanceShape>('Balance').implement({
  description: 'How much of one denom an account holds, as the router found it.',
  fields: (t) => ({
    denom: t.exposeString('denom', { description: 'Base denom, or address of the contract.' }),
    amount: t.expose('amount', { type: 'BigInt', description: 'Amount in base units.' }),
    formattedAmount: t.exposeString('formatted_amount', {
      nullable: true,
      description: 'Amount with its decimal point; null where the decimals are not known.',
    }),
    decimals: t.exposeInt('decimals', {
      nullable: true,
      description: 'How many digits of `amount` stand behind the point; null where not known.',
    }),
    usdPrice: t.string({
      nullable: true,
      description: 'What one whole unit is worth in US dollars; null where it has no price.',
      resolve: ({ price, price_usd }) => price ?? price_usd,
    }),
    usdValue: t.exposeString('value_usd', {
      nullable: true,
      description: 'What the amount is worth in US dollars; null where it has no price.',
    }),
    asset: t.field({
      type: Asset,
      nullable: true,
      description: "The router's record of the denom: symbol, decimals, logo.",
      resolve: ({ chainId, denom }, _args, context) => assetOf(context, chainId, denom),
    }),
  }),
})

builder.objectField(Account, 'balances', (t) =>
  t.field({
    type: [Balance],
    nullable: true,
    description:
      'What the account holds now, by the router. Denoms it holds nothing of are left out; null where the router does not reach the chain.',
    args: {
      denoms: t.arg.stringList({
        description: 'The only denoms to look at, at most 100; all when left out.',
      }),
    },
    complexity: { field: callCost, multiplier: 20 },
    resolve: (account, { denoms }, context) => loadBalances(context, account, denoms ?? []),
  }),
)
