import type { GraphQLSchema } from 'graphql'
import type { SharedContext } from '../../engine/graphql/builder.ts'
import type { Telemetry } from '../../engine/telemetry/telemetry.ts'
import type { Tracing } from '../../engine/telemetry/tracing/tracing.ts'
import type { AdmissionControl } from './admissionControl.ts'
import type { Executor } from './compiled/executor.ts'
import type { ServedDocuments } from './documents/documentTexts.ts'
import type { FormatError } from './formatError.ts'
import type { UnreadAnswers } from './unreadAnswers.ts'

/** What the way of an operation needs. It is made once for a server. */
export interface OperationServices extends ServedDocuments {
  /** What all operations share, as resolvers get it in their context. */
  readonly shared: SharedContext
  readonly schema: GraphQLSchema
  readonly introspection: boolean
  readonly executor: Executor
  readonly formatError: FormatError
  readonly admission: AdmissionControl
  /** The answers that clients have not read yet. */
  readonly unread: UnreadAnswers
  readonly telemetry: Telemetry
  readonly tracing?: Tracing | undefined
}

/** The services for queries that agents write: they may cost a quarter of what a client may ask for. */
export function foreignServices(services: OperationServices): OperationServices {
  const { limits } = services.shared
  const foreign = { ...limits, maxCost: Math.ceil(limits.maxCost / 4) }
  return { ...services, shared: { ...services.shared, limits: foreign } }
}
