import { z } from 'zod'
import { amountOf, chainId, type Data, queryTool, rows, usd } from '../tool.ts'

const denom = z.string().min(1).max(256)

export const quoteRoute = queryTool({
  name: 'quote_route',
  title: 'Quote of a transfer between chains',
  description:
    'The best route of an asset to another chain or into another asset: the amount that arrives, time, steps and fees. It only quotes: nothing is signed or sent. `isFound` is false if there is no route.',
  input: z.object({
    sourceChainId: chainId,
    sourceDenom: denom.describe('Denom on the source chain. `search` finds it by symbol.'),
    destinationChainId: chainId,
    destinationDenom: denom.describe('Denom on the destination chain.'),
    amountIn: z
      .string()
      .regex(/^[0-9]{1,78}$/, 'must be a whole number')
      .describe('Amount in base units: 1 INIT is 1000000.'),
  }),
  output: z.object({ steps: rows, fees: rows }),
  document: `query McpQuote($input: RouteInput!) { route(input: $input) {
  amountIn formattedAmountIn assetIn { symbol denom } amountOut formattedAmountOut assetOut { symbol denom }
  usdAmountIn usdAmountOut estimatedDurationSeconds swapPriceImpactPercent expiresAt transactionCount
  operations { kind bridge fromChain { prettyName } toChain { prettyName } assetOut { symbol } }
  fees { kind behavior amount denom formattedAmount usdValue asset { symbol } }
  warning { kind message }
} }`,
  variables: (args) => ({
    input: {
      amountIn: args.amountIn,
      source: { chainId: args.sourceChainId, denom: args.sourceDenom },
      destination: { chainId: args.destinationChainId, denom: args.destinationDenom },
    },
  }),
  read({ route }) {
    if (!route) return { result: { isFound: false } }
    return {
      result: {
        isFound: true,
        pays: amountOf({ amount: route.amountIn, formattedAmount: route.formattedAmountIn, asset: route.assetIn }),
        paysValue: usd(route.usdAmountIn),
        receives: amountOf({
          amount: route.amountOut,
          formattedAmount: route.formattedAmountOut,
          asset: route.assetOut,
        }),
        receivesValue: usd(route.usdAmountOut),
        estimatedDurationSeconds: route.estimatedDurationSeconds,
        priceImpactPercent: route.swapPriceImpactPercent,
        signatures: route.transactionCount,
        expiresAt: route.expiresAt,
        warning: route.warning,
        steps: route.operations.map(({ kind, bridge, fromChain, toChain, assetOut }: Data) => ({
          kind,
          bridge,
          from: fromChain?.prettyName,
          to: toChain?.prettyName,
          gives: assetOut?.symbol,
        })),
        fees: route.fees.map(({ kind, behavior, usdValue, ...amount }: Data) => ({
          kind,
          behavior,
          amount: amountOf(amount),
          value: usd(usdValue),
        })),
      },
    }
  },
})
