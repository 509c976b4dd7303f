import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { bech32Of } from '../../../graphql/scalars.ts'
import { badInput } from '../../../upstream/error.ts'
import { lenient, lenientBigInt, lenientList, lenientString } from '../../../upstream/lenient.ts'
import { post } from '../../../upstream/request.ts'
import { checkBase58, routerAddress } from '../addressInput.ts'
import { fee, RouteFee } from '../route/fee.ts'
import { RouteWarning } from '../route/route.ts'
import { unpackRoute } from '../route/routeToken.ts'
import { checkChainId, routerOf } from '../routerInput.ts'
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
  description: 'The hook of `opHook`, signed.',
  fields: (t) => ({
    signer: t.string({ required: true, description: 'Bech32 address of who signed it.' }),
    hook: t.string({
      required: true,
      description: 'The encoded, signed transaction of the rollup, in base64.',
    }),
  }),
})

const AffiliateInput = builder.inputType('AffiliateInput', {
  description: 'Who takes a part of what is swapped on a chain.',
  fields: (t) => ({
    chainId: t.string({ required: true, description: 'The chain the swap is on.' }),
    address: t.string({ required: true, description: 'Who takes it, on that chain.' }),
    feeBps: t.int({ required: true, description: 'How much, in hundredths of a percent.' }),
  }),
})

const TransferMessagesInput = builder.inputType('TransferMessagesInput', {
  description: 'A route, and whose transfer it will be.',
  fields: (t) => ({
    route: t.string({
      required: true,
      description: '`Route.token`. Quote anew when it is older than some seconds.',
    }),
    addresses: t.stringList({
      required: true,
      description:
        'One for each of `Route.requiredAddresses`, in that order; the last is the recipient.',
    }),
    slippageTolerancePercent: t.field({
      type: 'Decimal',
      required: true,
      defaultValue: '1',
      description: 'By how much swaps may fall short, in percent from 0 to 100, such as `0.5`.',
    }),
    signedOpHook: t.field({
      type: SignedOpHookInput,
      description: 'Required by a route with `requiresOpHook`.',
    }),
    timeoutSeconds: t.int({
      description:
        'After how many seconds an undelivered packet is returned; some minutes if left out.',
    }),
    affiliates: t.field({
      type: [AffiliateInput],
      description: 'Who takes a part of what is swapped. Their fees must be those of the quote.',
    }),
    enableGasWarnings: t.boolean({
      description: 'Whether the router is to check that the sender can pay for gas.',
    }),
    feePayerAddress: t.string({
      description: 'Who pays the fees on Solana, where it is not the sender.',
    }),
  }),
})
type Input = typeof TransferMessagesInput.$inferInput

/** The request, checked. The operations go in as the text they came as, not as what they mean. */
function messagesBody(context: Context, input: Input): string {
  const { terms, requiredChainIds, requiresOpHook, operations } = unpackRoute(input.route)
  const { addresses, slippageTolerancePercent, signedOpHook, timeoutSeconds } = input
  if (requiredChainIds.length > 0 && addresses.length !== requiredChainIds.length) {
    throw badInput(
      `The route needs ${requiredChainIds.length} addresses: on ${requiredChainIds.join(', ')}.`,
    )
  }
  if (!isPercentage(slippageTolerancePercent)) {
    throw badInput('`slippageTolerancePercent` is a decimal number from 0 to 100.')
  }
  if (requiresOpHook && !signedOpHook) {
    throw badInput('The route requires a `signedOpHook`; `opHook` tells what to sign.')
  }
  if (timeoutSeconds != null && timeoutSeconds <= 0) {
    throw badInput('`timeoutSeconds` is above 0.')
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
  return `${body.slice(0, -1)},"operations":${operations}}`
}

const isPercentage = (text: string): boolean =>
  /^\d{1,3}(\.\d{1,18})?$/.test(text) && Number(text) <= 100

function checkHook({ signer, hook }: typeof SignedOpHookInput.$inferInput) {
  if (!bech32Of(signer)) throw badInput('The signer of the hook is no bech32 address.')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(hook)) throw badInput('The signed hook is not base64.')
  return { signer, hook }
}

function byChain(context: Context, affiliates: readonly (typeof AffiliateInput.$inferInput)[]) {
  const chains = new Map<string, { address: string; basis_points_fee: string }[]>()
  for (const { chainId, address, feeBps } of affiliates) {
    if (feeBps < 0 || feeBps > 10_000) throw badInput('`feeBps` goes from 0 to 10000.')
    const own = chains.get(checkChainId(chainId)) ?? []
    const taker = routerAddress(context, chainId, address)
    chains.set(chainId, [...own, { address: taker, basis_points_fee: String(feeBps) }])
  }
  return Object.fromEntries([...chains].map(([id, own]) => [id, { affiliates: own }]))
}

const TransferMessages = builder.objectRef<Messages>('TransferMessages').implement({
  description: 'What to sign for a transfer. The gateway neither signs nor sends anything.',
  fields: (t) => ({
    transactions: t.field({
      type: [TransactionRequest],
      description: 'The transactions to sign, in the order they are to be sent.',
      resolve: ({ transactions }) => transactions,
    }),
    minAmountOut: t.expose('min_amount_out', {
      type: 'BigInt',
      nullable: true,
      description: 'The least that arrives, with the slippage allowed; null where untold.',
    }),
    fees: t.field({
      type: [RouteFee],
      description: 'The fees the router lists beside the transactions.',
      resolve: ({ estimated_fees }) => estimated_fees,
    }),
    warning: t.expose('warning', {
      type: RouteWarning,
      nullable: true,
      description: 'Why to look twice before signing.',
    }),
  }),
})

builder.queryField('transferMessages', (t) =>
  t.field({
    type: TransferMessages,
    nullable: true,
    description:
      'The transactions that carry a route out. Computed anew each time, and nothing is changed by it.',
    args: {
      input: t.arg({
        type: TransferMessagesInput,
        required: true,
        description: 'The route, and whose transfer it will be.',
      }),
    },
    complexity: callCost,
    resolve: (_root, { input }, context) =>
      context.scope.fetch(
        routerOf(context),
        post(
          '/v2/fungible/msgs',
          messagesBody(context, input),
          (answer) => messages.parse(answer),
          { is404Error: true },
        ),
      ),
  }),
)
