import { bech32Of } from '#words/addresses/bytes'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { checkBase58, routerAddress } from '../addressInput.ts'
import { withExtra } from '../extra.ts'
import { parseRouteToken } from '../route/routeToken.ts'

const SignedOpHookInput = builder.inputType('SignedOpHookInput', {
  description: 'The signed hook of `opHook`.',
  fields: (t) => ({
    signer: t.field({
      type: 'Address',
      required: true,
      description: 'Bech32 address of the signer.',
    }),
    hook: t.string({
      required: true,
      description: 'The encoded and signed transaction for the rollup, in base64.',
    }),
  }),
})

const AffiliateInput = builder.inputType('AffiliateInput', {
  description: 'A receiver of a swap fee on a chain.',
  fields: (t) => ({
    chainId: t.field({ type: 'ChainId', required: true, description: 'The chain of the swap.' }),
    address: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the recipient on that chain.',
    }),
    feeBps: t.int({
      required: true,
      description: 'Fee in hundredths of a percent, from 0 to 10000.',
    }),
  }),
})

const ContractCallInput = builder.inputType('ContractCallInput', {
  description: 'A call of a CosmWasm contract on the destination chain.',
  fields: (t) => ({
    contractAddress: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the contract.',
    }),
    message: t.string({ required: true, description: 'The message for it, as JSON text.' }),
  }),
})

const AutopilotAction = builder.enumType('AutopilotAction', {
  description: 'An action of Stride.',
  values: {
    LIQUID_STAKE: { description: 'Stake it, for a liquid token.' },
    CLAIM: { description: 'Claim an airdrop.' },
  },
})

const AutopilotInput = builder.inputType('AutopilotInput', {
  description: 'An action of Stride on the asset.',
  fields: (t) => ({
    action: t.field({ type: AutopilotAction, required: true, description: 'The action.' }),
    receiver: t.field({
      type: 'Address',
      required: true,
      description: 'Address that the result is sent to.',
    }),
  }),
})

const PostRouteHandlerInput = builder.inputType('PostRouteHandlerInput', {
  description: 'Use of the asset on arrival. Exactly one field.',
  fields: (t) => ({
    contractCall: t.field({ type: ContractCallInput, description: 'Call a contract with it.' }),
    autopilot: t.field({ type: AutopilotInput, description: 'An action of Stride.' }),
  }),
})

export const TransferMessagesInput = builder.inputType('TransferMessagesInput', {
  description: 'A route, with the addresses and options of the transfer.',
  fields: (t) => ({
    routeToken: t.string({
      required: true,
      description: 'The `routeToken` of a route that is seconds old.',
    }),
    addresses: t.field({
      type: ['Address'],
      required: true,
      description: 'An address for each of `Route.requiredAddresses`, in order. The last is the recipient.',
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
      description: 'Seconds until an undelivered packet is returned. Default: a few minutes.',
    }),
    affiliates: t.field({
      type: [AffiliateInput],
      description: 'Accounts that receive a fee from swaps, as quoted.',
    }),
    enableGasWarnings: t.boolean({
      description: 'Whether the router checks that the sender can pay for gas.',
    }),
    feePayerAddress: t.field({
      type: 'Address',
      description: 'Solana address that pays the fees, if it is not the sender.',
    }),
    postRouteHandler: t.field({
      type: PostRouteHandlerInput,
      description: 'Use of the asset on arrival.',
    }),
    ignoreBlacklist: t.boolean({
      description: 'Include networks that the router leaves out. As in the quote.',
    }),
    extra: t.field({
      type: 'JSON',
      description: 'Further fields for the router, in its own names.',
    }),
  }),
})
type Input = typeof TransferMessagesInput.$inferInput

/** The body of the request, as JSON text. Throws `BAD_USER_INPUT` if the input is invalid. */
export async function messagesBody(context: Context, input: Input): Promise<string> {
  const { terms, requiredChainIds, requiresOpHook, operations } = parseRouteToken(context, input.routeToken)
  const { addresses, slippageTolerancePercent, signedOpHook, timeoutSeconds } = input
  if (requiredChainIds.length > 0 && addresses.length !== requiredChainIds.length) {
    throw badInput(`The route requires ${requiredChainIds.length} addresses, on ${requiredChainIds.join(', ')}.`)
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
  const body = withExtra(input.extra, {
    ...terms,
    address_list: await Promise.all(
      addresses.map((address, index) => routerAddress(context, requiredChainIds[index] ?? '', address)),
    ),
    slippage_tolerance_percent: slippageTolerancePercent,
    signed_op_hook: signedOpHook ? checkHook(signedOpHook) : undefined,
    timeout_seconds: timeoutSeconds == null ? undefined : String(timeoutSeconds),
    chain_ids_to_affiliates: input.affiliates ? await byChain(context, input.affiliates) : undefined,
    enable_gas_warnings: input.enableGasWarnings ?? undefined,
    fee_payer_address: input.feePayerAddress == null ? undefined : checkBase58(input.feePayerAddress),
    post_route_handler: input.postRouteHandler ? handlerBody(input.postRouteHandler) : undefined,
    ignore_blacklist: input.ignoreBlacklist ?? undefined,
  })
  // The router must receive its operations byte for byte, and parsing them would round large numbers.
  // So their text is inserted before the closing brace of `body`. This is safe: the
  // signature shows that the text is a JSON array of the router, and `body` always has other fields
  // before the comma.
  return `${body.slice(0, -1)},"operations":${operations}}`
}

const isPercentage = (text: string): boolean => /^\d{1,3}(\.\d{1,18})?$/.test(text) && Number(text) <= 100

function handlerBody({ contractCall, autopilot }: typeof PostRouteHandlerInput.$inferInput) {
  if (!contractCall === !autopilot) {
    throw badInput('`postRouteHandler` must have either `contractCall` or `autopilot`.')
  }
  if (autopilot) {
    if (!bech32Of(autopilot.receiver)) throw badInput('The receiver must be a bech32 address.', 'INVALID_ADDRESS')
    // Routers read this misspelt name.
    return { autpilot_msg: { action: autopilot.action, receiver: autopilot.receiver } }
  }
  const { contractAddress = '', message = '' } = contractCall ?? {}
  if (!bech32Of(contractAddress)) throw badInput('The contract must be a bech32 address.', 'INVALID_ADDRESS')
  if (!isJson(message)) throw badInput('The message of the contract must be JSON text.')
  return { wasm_msg: { contract_address: contractAddress, msg: message } }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function checkHook({ signer, hook }: typeof SignedOpHookInput.$inferInput) {
  if (!bech32Of(signer)) throw badInput('The signer of the hook must be a bech32 address.', 'INVALID_ADDRESS')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(hook)) throw badInput('The signed hook must be base64.')
  return { signer, hook }
}

async function byChain(context: Context, affiliates: readonly (typeof AffiliateInput.$inferInput)[]) {
  const chains = new Map<string, { address: string; basis_points_fee: string }[]>()
  for (const { chainId, address, feeBps } of affiliates) {
    if (feeBps < 0 || feeBps > 10_000) throw badInput('`feeBps` must be from 0 to 10000.')
    const entries = chains.get(checkChainId(chainId)) ?? []
    const entry = {
      address: await routerAddress(context, chainId, address),
      basis_points_fee: String(feeBps),
    }
    chains.set(chainId, [...entries, entry])
  }
  return Object.fromEntries([...chains].map(([chainId, entries]) => [chainId, { affiliates: entries }]))
}
