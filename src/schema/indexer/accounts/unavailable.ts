import { builder } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { Chain } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'

/** A chain that could not be read, and why. */
export interface UnavailableChainShape {
  readonly chainId: string
  readonly code: string
  readonly message: string
  /** The router's own words, if the router refused. */
  readonly upstreamMessage: string | null
}

export const UnavailableChain = builder.objectRef<UnavailableChainShape>('UnavailableChain').implement({
  description: 'A chain that could not be read.',
  fields: (t) => ({
    chain: t.value(Chain, 'The chain.', ({ chainId }, _args, context) => chainOf(context, chainId)),
    chainId: t.value('ChainId', 'Chain ID.', ({ chainId }) => chainId),
    code: t.value('String', 'Code as in `extensions.code`, such as `UPSTREAM_TIMEOUT`.', ({ code }) => code),
    message: t.value('String', 'What happened, in one sentence.', ({ message }) => message),
    upstreamMessage: t.nullable(
      'String',
      "The router's words, as in `extensions.upstreamMessage`. Null if none.",
      ({ upstreamMessage }) => upstreamMessage,
    ),
  }),
})

const wordsOf = ({ upstreamMessage }: GatewayError) => ({
  upstreamMessage: upstreamMessage ?? null,
})

const unknownFault = { message: 'The chain could not be read.', upstreamMessage: null }

/** The chains of errors by chain ID. An error that is not for clients keeps its text to itself. */
export const unavailableChains = (errors: ReadonlyMap<string, unknown>): UnavailableChainShape[] =>
  [...errors].map(([chainId, error]) =>
    error instanceof GatewayError
      ? { chainId, code: error.code, message: error.message, ...wordsOf(error) }
      : { chainId, code: 'INTERNAL_SERVER_ERROR', ...unknownFault },
  )
