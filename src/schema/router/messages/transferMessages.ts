import { z } from 'zod'
import { builder } from '../../../engine/graphql/builder.ts'
import { lenient, lenientAmount, lenientList, lenientString } from '../../../engine/wire/lenient.ts'
import { formattedField } from '../asset/assetAmount.ts'
import { fee, RouteFee } from '../route/fee.ts'
import { RouteWarning } from '../route/route.ts'
import { parseRouteToken, tokenCost } from '../route/routeToken.ts'
import { postToRouter } from '../routerClient.ts'
import { ifSent, sent } from '../routerFields.ts'
import { messagesBody, TransferMessagesInput } from './messagesInput.ts'
import { readRequest, TransactionRequest } from './transactionRequest.ts'

// Upstream

const messages = z
  .object({
    txs: z.array(z.unknown()).nullish(),
    msgs: z.array(z.unknown()).nullish(),
    min_amount_out: lenientAmount,
    estimated_fees: lenientList(fee),
    warning: lenient(z.object({ type: lenientString, message: lenientString })),
  })
  .refine(({ txs, msgs }) => txs || msgs, 'neither `txs` nor `msgs`')
  .transform(({ txs, msgs, ...rest }) => ({
    ...rest,
    transactions: (txs?.length ? txs : (msgs ?? [])).map(readRequest),
  }))

/** The transactions, with the asset that arrives. */
interface Messages extends z.output<typeof messages> {
  readonly chainId: string
  readonly denom: string
}

// Graph

const TransferMessages = builder.objectRef<Messages>('TransferMessages').implement({
  description: 'The transactions of a transfer, to sign.',
  fields: (t) => ({
    transactions: t.value(
      [TransactionRequest],
      'Transactions to sign, in the order to send them.',
      ({ transactions }) => transactions,
    ),
    minAmountOut: ifSent(
      t,
      'BigInt',
      'Minimum amount after slippage, in base units.',
      ({ min_amount_out }) => min_amount_out,
    ),
    formattedMinAmountOut: formattedField(
      t,
      'Minimum amount after slippage, in whole units.',
      ({ chainId, denom, min_amount_out }) => ({ chainId, denom, amount: min_amount_out }),
    ),
    fees: t.value(
      [RouteFee],
      'Fees that the router reports with the transactions.',
      ({ estimated_fees }) => estimated_fees,
    ),
    warning: sent(
      t,
      RouteWarning,
      'A reason to review the transfer before signing. Null if none.',
      ({ warning }) => warning,
    ),
  }),
})

builder.queryField('transferMessages', (t) =>
  t.field({
    type: TransferMessages,
    nullable: true,
    description: 'The transactions that execute a route, without side effects. Costs one upstream request.',
    args: {
      input: t.arg({
        type: TransferMessagesInput,
        required: true,
        description: 'The route, with the addresses and options of the transfer.',
      }),
    },
    complexity: ({ input }) => tokenCost(input.routeToken),
    resolve: async (_root, { input }, context) => {
      const body = await messagesBody(context, input)
      const sent = await postToRouter(context, '/v2/fungible/msgs', body, messages, { isSlow: true })
      const { dest_asset_chain_id, dest_asset_denom } = parseRouteToken(context, input.routeToken).terms
      return sent && { ...sent, chainId: dest_asset_chain_id, denom: dest_asset_denom }
    },
  }),
)
