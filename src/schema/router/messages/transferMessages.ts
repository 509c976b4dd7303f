import { z } from 'zod'
import { builder, type Context } from '../../../graphql/builder.ts'
import { bech32Of } from '../../../graphql/scalars.ts'
import { decode } from '../../../upstream/compiledSchema.ts'
import { badInput } from '../../../upstream/error.ts'
import { lenient, lenientBigInt, lenientList, lenientString } from '../../../upstream/lenient.ts'
import { post } from '../../../upstream/request.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { checkBase58, routerAddress } from '../addressInput.ts'
import { fee, RouteFee } from '../route/fee.ts'
import { RouteWarning } from '../route/route.ts'
import { routeOf, tokenCost } from '../route/routeToken.ts'
import { routerOf } from '../routerInput.ts'
import { readRequest, TransactionRequest } from './transactionRequest.ts'

// Upstream

const messages = z
  .object({
    txs: z.array(z.unknown()).nullish(),
    msgs: z.array(z.unknown()).nullish(),
    min_amount_out: lenientBigInt,
    estimated_fees: lenientList(fee),
    warning: lenient(z.object({ type: lenientString, message: lenientString })),
  })
  .refine(({ txs, msgs }) => txs || msgs, 'neither `txs` nor `msgs`')
  .transform(({ txs, msgs, ...rest }) => ({
    ...rest,
    transactions: (txs?.length ? txs : (msgs ?? [])).map(readRequest),
  }))
type Messages = z.output<typeof messages>

// Graph

const SignedOpHookInput = builder.inputType('SignedOpHookInput', {
  description: 'The signed hook of `opHook`.',
  fields: (t) => ({
    signer: t.string({ required: true, description: 'Bech32 address of the signer.' }),
    hook: t.string({
      required: true,
      description: 'The encoded and signed transaction for the rollup, in base64.',
    }),
  }),
})

const AffiliateInput = builder.inputType('AffiliateInput', {
  description: 'An account that receives a fee from the swaps on one chain.',
  fields: (t) => ({
    chainId: t.string({ required: true, description: 'The chain of the swap.' }),
    address: t.string({ required: true, description: 'Address of the recipient on that chain.' }),
    feeBps: t.int({
      required: true,
      description: 'Fee in basis points (hundredths of a percent), from 0 to 10000.',
    }),
  }),
})

const TransferMessagesInput = builder.inputType('TransferMessagesInput', {
  description: 'A route, with the addresses and options of the transfer.',
  fields: (t) => ({
    routeToken: t.string({
      required: true,
      description:
        'The `routeToken` of the route. Request a new route if this one is more than a few seconds old.',
    }),
    addresses: t.stringList({
      required: true,
      description:
        'One address for each entry of `Route.requiredAddresses`, in that order. The last is the recipient.',
    }),
    slippageTolerancePercent: t.field({
      type: 'Decimal',
      required: true,
      defaultValue: '1',
      description: 'Maximum slippage of swaps, in percent from 0 to 100, such as `0.5`.',
    }),
    signedOpHook: t.field({
      type: SignedOpHookInput,
      description: 'The signed hook. Required for a route with `requiresOpHook`.',
    }),
    timeoutSeconds: t.int({
      description:
        'Time until an undelivered packet is returned, in seconds. The router chooses a few minutes by default.',
    }),
    affiliates: t.field({
      type: [AffiliateInput],
      description: 'Accounts that receive a fee from swaps. The fees must be those of the quote.',
    }),
    enableGasWarnings: t.boolean({
      description: 'Whether the router checks that the sender can pay for gas.',
    }),
    feePayerAddress: t.string({
      description: 'Solana address that pays the fees, if it is not the sender.',
    }),
  }),
})
type Input = typeof TransferMessagesInput.$inferInput

/** The body of the request, as JSON text. Throws `BAD_USER_INPUT` if the input is invalid. */
function messagesBody(context: Context, input: Input): string {
  const { terms, requiredChainIds, requiresOpHook, operations } = routeOf(context, input.routeToken)
  const { addresses, slippageTolerancePercent, signedOpHook, timeoutSeconds } = input
  if (requiredChainIds.length > 0 && addresses.length !== requiredChainIds.length) {
    throw badInput(
      `The route requires ${requiredChainIds.length} addresses, on ${requiredChainIds.join(', ')}.`,
    )
  }
  if (!isPercentage(slippageTolerancePercent)) {
    throw badInput('`slippageTolerancePercent` must be from 0 to 100.')
  }
  if (requiresOpHook && !signedOpHook) {
    throw badInput('The route requires `signedOpHook`. Use `opHook` to get the messages to sign.')
  }
  if (timeoutSeconds != null && timeoutSeconds <= 0) {
    throw badInput('`timeoutSeconds` must be greater than 0.')
  }
  const body = JSON.stringify({
    ...terms,
    address_list: addresses.map((address, index) =>
      routerAddress(context, requiredChainIds[index] ?? '', address),
    ),
    slippage_tolerance_percent: slippageTolerancePercent,
    signed_op_hook: signedOpHook ? checkHook(signedOpHook) : undefined,
    timeout_seconds: timeoutSeconds == null ? undefined : String(timeoutSeconds),
    chain_ids_to_affiliates: input.affiliates ? byChain(context, input.affiliates) : undefined,
    enable_gas_warnings: input.enableGasWarnings ?? undefined,
    fee_payer_address:
      input.feePayerAddress == null ? undefined : checkBase58(input.feePayerAddress),
  })
  // The router must receive its operations byte for byte, and parsing them would round large numbers.
  // So their text is inserted before the closing brace of `body`. This is safe: the
  // signature shows that the text is a JSON array of the router, and `body` always has other fields
  // before the comma.
  return `${body.slice(0, -1)},"operations":${operations}}`
}

const isPercentage = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,18})?$/.test(text) && Number(text) <= 100

function checkHook({ signer, hook }: typeof SignedOpHookInput.$inferInput) {
  if (!bech32Of(signer)) throw badInput('The signer of the hook must be a bech32 address.')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(hook)) throw badInput('The signed hook must be base64.')
  return { signer, hook }
}

function byChain(context: Context, affiliates: readonly (typeof AffiliateInput.$inferInput)[]) {
  const chains = new Map<string, { address: string; basis_points_fee: string }[]>()
  for (const { chainId, address, feeBps } of affiliates) {
    if (feeBps < 0 || feeBps > 10_000) throw badInput('`feeBps` must be from 0 to 10000.')
    const entries = chains.get(checkChainId(chainId)) ?? []
    const entry = {
      address: routerAddress(context, chainId, address),
      basis_points_fee: String(feeBps),
    }
    chains.set(chainId, [...entries, entry])
  }
  return Object.fromEntries(
    [...chains].map(([chainId, entries]) => [chainId, { affiliates: entries }]),
  )
}

const TransferMessages = builder.objectRef<Messages>('TransferMessages').implement({
  description:
    'The transactions of a transfer, ready to sign. The gateway does not sign or send them.',
  fields: (t) => ({
    transactions: t.field({
      type: [TransactionRequest],
      description: 'Transactions to sign, in the order to send them.',
      resolve: ({ transactions }) => transactions,
    }),
    minAmountOut: t.expose('min_amount_out', {
      type: 'BigInt',
      nullable: true,
      description:
        'Minimum amount that arrives, after slippage, in base units. Null if the router does not report it.',
    }),
    fees: t.field({
      type: [RouteFee],
      description: 'Fees that the router reports with the transactions.',
      resolve: ({ estimated_fees }) => estimated_fees,
    }),
    warning: t.expose('warning', {
      type: RouteWarning,
      nullable: true,
      description: 'A reason to review the transfer before signing. Null if there is none.',
    }),
  }),
})

builder.queryField('transferMessages', (t) =>
  t.field({
    type: TransferMessages,
    nullable: true,
    description:
      'The transactions that execute a route. Computed for each request, without side effects. Costs one upstream request.',
    args: {
      input: t.arg({
        type: TransferMessagesInput,
        required: true,
        description: 'The route, with the addresses and options of the transfer.',
      }),
    },
    complexity: ({ input }) => tokenCost(input.routeToken),
    resolve: (_root, { input }, context) =>
      context.scope.fetch(
        routerOf(context),
        post(
          '/v2/fungible/msgs',
          messagesBody(context, input),
          (response) => decode(messages, response),
          { is404Error: true, isSlow: true },
        ),
      ),
  }),
)
