import { builder } from '../../../graphql/builder.ts'
import { GatewayError } from '../../../upstream/error.ts'

/** A chain that could not be read, and why. */
export interface UnavailableChainShape {
  readonly chainId: string
  readonly code: string
  readonly message: string
}

export const UnavailableChain = builder
  .objectRef<UnavailableChainShape>('UnavailableChain')
  .implement({
    description: 'A chain that could not be read for a list over several chains.',
    fields: (t) => ({
      chainId: t.expose('chainId', { type: 'ChainId', description: 'Chain ID.' }),
      code: t.exposeString('code', {
        description: 'Error code, as in `extensions.code` of errors: such as `UPSTREAM_TIMEOUT`.',
      }),
      message: t.exposeString('message', { description: 'What happened, in one sentence.' }),
    }),
  })

/** The chains of errors by chain ID. An error that is not for clients keeps its text to itself. */
export const unavailableChains = (errors: ReadonlyMap<string, unknown>): UnavailableChainShape[] =>
  [...errors].map(([chainId, error]) =>
    error instanceof GatewayError
      ? { chainId, code: error.code, message: error.message }
      : { chainId, code: 'INTERNAL_SERVER_ERROR', message: 'The chain could not be read.' },
  )
