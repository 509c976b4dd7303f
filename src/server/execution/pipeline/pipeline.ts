import type { GraphQLSchema } from 'graphql'
import type { SharedContext } from '../../../graphql/builder.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { Telemetry } from '../../../telemetry/telemetry.ts'
import type { Tracing } from '../../../telemetry/tracing/tracing.ts'
import type { Client, CostBudget } from '../client.ts'
import type { Executor } from '../compiled/executor.ts'
import { createCostCheck } from '../cost/checkCost.ts'
import { createDocuments } from '../documents/documents.ts'
import { createDocumentTexts, type TrustedDocuments } from '../documents/documentTexts.ts'
import type { FormatError } from '../formatError.ts'
import { isPromise } from '../isPromise.ts'
import { createCharges } from './charges.ts'
import type { HeavyOperations } from './heavyOperations.ts'
import type {
  CacheableResult,
  Operation,
  OperationRequest,
  OperationResult,
  Refused,
} from './operation.ts'
import { createPreparation } from './prepare.ts'
import { createReports } from './reports.ts'
import { createRunner } from './runner.ts'
import { createOperations, type OpenOperation } from './runOperation.ts'
import type { WaitingAnswers } from './waitingAnswers.ts'

/** The stages of every operation: prepare, charge, run, report. */
export interface Pipeline {
  /** Parses and validates. For transports that report such errors in another way than a result. */
  prepare(request: OperationRequest, client: Client): Operation | Refused
  /** Prepares and runs. */
  run(request: OperationRequest, client: Client): Promise<OperationResult>
  /**
   * Charges and reports an operation whose result is sent again. False if it has to be run: the client
   * may not spend its cost, or wants to know it.
   */
  serveCached(result: CacheableResult, client: Client): boolean
}

/** The parts of a gateway that a pipeline uses. */
export interface PipelineOptions extends SharedContext, TrustedDocuments {
  readonly schema: GraphQLSchema
  readonly executor: Executor
  readonly introspection: boolean
  readonly clock: Clock
  /** The answers that clients have not read yet. */
  readonly waiting: WaitingAnswers
  /** The heavy operations of this process. By default only those of this pipeline wait for each other. */
  readonly heavy?: HeavyOperations | undefined
  readonly telemetry: Telemetry
  readonly formatError: FormatError
  /** Left out, operations are not traced. */
  readonly tracing?: Tracing | undefined
  /** Left out, clients may spend without limit. */
  readonly budget?: CostBudget
}

/** The pipeline of HTTP, server-sent events and WebSocket. Each transport is an adapter around it. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { schema, introspection, cache, limits, network, clock, telemetry, tracing } = options
  const shared = sharedContextOf(options)
  const charges = createCharges(options)
  const reports = createReports({ clock, telemetry, tracing })
  const runner = createRunner({ shared, ...options })
  const texts = createDocumentTexts(options)
  const documents = createDocuments({ schema, cache, introspection, maxTokens: limits.maxTokens })
  const prepareDocument = createPreparation({ texts, documents, introspection })
  const checkCost = createCostCheck({ schema, limits, context: shared })
  const operations = createOperations({ checkCost, charges, runner, clock, limits, network })

  const prepare = (request: OperationRequest, client: Client): Operation | Refused => {
    const report = reports.begin(client)
    try {
      const started = clock.now()
      operations.refuseLate(client, started)
      charges.refuseDebtor(client)
      const { document, definition, isPrivate } = prepareDocument(request, client)
      const end = (result: OperationResult) => {
        report.end(result, definition, open.cost)
        return result
      }
      // One literal: V8 takes microseconds for a spread among properties.
      const open: OpenOperation = {
        type: definition.operation,
        document,
        definition,
        isPrivate,
        request,
        client: report.trace ? { ...client, trace: report.trace } : client,
        cacheable: undefined,
        cost: undefined,
        run(isText = false) {
          const result = operations.run(open, isText)
          return isPromise(result) ? result.then(end) : end(result)
        },
      }
      return open
    } catch (error) {
      const refused = operations.refuse(error, client)
      report.end(refused)
      return refused
    }
  }

  return {
    prepare,
    async run(request, client) {
      const operation = prepare(request, client)
      return 'errors' in operation ? operation : operation.run()
    },
    serveCached({ name, points }, client) {
      if (client.wantsCost || !charges.mayServe(client, points)) return false
      reports.served(client, name)
      return true
    },
  }
}

/** The options that resolvers get in their context. */
const sharedContextOf = ({
  service,
  network,
  clock,
  cache,
  poller,
  feeds,
  peers,
  limits,
  turns,
  signer,
  media,
}: PipelineOptions): SharedContext => ({
  ...{ service, network, clock, cache, poller, feeds, peers, limits, turns, signer, media },
})
