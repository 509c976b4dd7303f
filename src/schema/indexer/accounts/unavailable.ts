import type { GraphQLResolveInfo } from 'graphql'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { addErrorBeside } from '../../../engine/graphql/errorBeside.ts'
import { selectedFields } from '../../../engine/graphql/selection.ts'
import { type ErrorCode, errorCodes, GatewayError } from '../../../engine/upstream/error.ts'
import { Chain } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'

/** A chain that could not be read, and why. */
export interface UnavailableChainShape {
  readonly chainId: string
  readonly error: GatewayError
}

/** The field of a list or a sum that names the chains it lacks. */
export const unavailableField = 'unavailableChains'

export const UnavailableChain = builder.objectRef<UnavailableChainShape>('UnavailableChain').implement({
  description: 'A chain that could not be read.',
  fields: (t) => ({
    chain: t.value(Chain, 'The chain.', ({ chainId }, _args, context) => chainOf(context, chainId)),
    chainId: t.value('ChainId', 'Chain ID.', ({ chainId }) => chainId),
    code: t.value('String', 'Code as in `extensions.code`, such as `UPSTREAM_TIMEOUT`.', ({ error }) => error.code),
    message: t.value('String', 'What happened, in one sentence.', ({ error }) => error.message),
    upstreamMessage: t.nullable(
      'String',
      "The router's words, as in `extensions.upstreamMessage`. Null if none.",
      ({ error }) => error.upstreamMessage,
    ),
  }),
})

/** The chains of errors by chain ID, in the order of the IDs. */
export const unavailableChains = (errors: ReadonlyMap<string, unknown>): UnavailableChainShape[] =>
  [...errors]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([chainId, error]) => ({ chainId, error: faultOf(error, 'The chain could not be read.') }))

/** An error that clients may see. Another one keeps its text to itself, and says this sentence. */
export const faultOf = (error: unknown, sentence: string): GatewayError =>
  error instanceof GatewayError ? error : new GatewayError('INTERNAL_SERVER_ERROR', sentence, { cause: error })

/**
 * Adds an error to the list or sum of a field that lacks chains, unless the client selects their names there. It is one error for
 * all of them: it is about one field, and a router that is down can be missing for a hundred chains.
 */
export function reportUnavailable(
  context: Context,
  info: GraphQLResolveInfo,
  unavailable: readonly UnavailableChainShape[],
): void {
  if (unavailable.length > 0 && !selectedFields(info).has(unavailableField)) {
    addErrorBeside(context, info, missingChains(unavailable))
  }
}

/** The error for data that lacks chains. */
function missingChains(unavailable: readonly UnavailableChainShape[]): GatewayError {
  const errors = unavailable.map(({ error }) => error)
  const [first, ...others] = errors
  const codes = new Set<ErrorCode>(errors.map(({ code }) => code))
  // The faults that pass come first there, so that clients which go by the code ask again.
  const code = errorCodes.find((each) => codes.has(each)) ?? 'INTERNAL_SERVER_ERROR'
  const shared = <T>(read: (error: GatewayError) => T): T | undefined =>
    first && others.every((other) => read(other) === read(first)) ? read(first) : undefined
  const names = unavailable.map(({ chainId }) => chainId).join(', ')
  const reason = shared(({ message }) => message)
  return new GatewayError(code, `Data of ${names} is missing. ${reason ?? 'These chains could not be read.'}`, {
    service: shared(({ service }) => service),
    upstreamReason: shared(({ reason }) => reason),
    upstreamMessage: shared(({ upstreamMessage }) => upstreamMessage),
    unavailableChains: unavailable.map(({ chainId, error }) => ({ chainId, code: error.code })),
  })
}
