import { type ExecutionResult, OperationTypeNode } from 'graphql'
import { isPromise } from '../../kit/awaitable.ts'
import { createCostCheck } from './cost/checkCost.ts'
import { createDocuments } from './documents/documents.ts'
import { createDocumentTexts } from './documents/documentTexts.ts'
import { Execution, type RunArgs, type ScopedResult, tooBusy } from './execution.ts'
import { Metering, throwIfSet } from './metering.ts'
import type { CacheableResult, Operation, OperationRequest, OperationResult, Refused } from './operation.ts'
import type { OperationServices } from './operationServices.ts'
import { createPreparation, type PreparedDocument } from './prepare.ts'
import { Reports } from './reports.ts'
import { formatErrors } from './result.ts'
import type { Sender } from './sender.ts'
import { Subscriptions } from './subscriptions.ts'

/** A valid operation while it runs. */
interface OpenOperation extends Operation, PreparedDocument {
  readonly request: OperationRequest
  readonly sender: Sender
  cacheable: CacheableResult | undefined
  /** Undefined until it is known. */
  cost: number | undefined
  /** Undefined until it has run. */
  upstreamRequests: number | undefined
}

/**
 * The way of every operation, of all transports: it is prepared, priced, charged, run and reported. Each transport is an
 * adapter around it.
 */
export class Pipeline {
  readonly #services: OperationServices
  readonly #prepareDocument: ReturnType<typeof createPreparation>
  readonly #checkCost: ReturnType<typeof createCostCheck>
  readonly #metering: Metering
  readonly #execution: Execution
  readonly #subscriptions: Subscriptions
  readonly #reports: Reports

  constructor(services: OperationServices) {
    const { schema, introspection, shared } = services
    const documents = createDocuments(schema, introspection, shared)
    const texts = createDocumentTexts(shared.cache, services)
    this.#services = services
    this.#prepareDocument = createPreparation(texts, documents, introspection)
    this.#checkCost = createCostCheck(schema, shared)
    this.#metering = new Metering(services)
    this.#execution = new Execution(services)
    this.#subscriptions = new Subscriptions(services, this.#execution, this.#metering)
    this.#reports = new Reports(services)
  }

  /** Parses and validates. For transports that report such errors in another way than a result. */
  prepare(request: OperationRequest, sender: Sender): Operation | Refused {
    const started = this.#services.shared.clock.now()
    const trace = this.#reports.begin(sender)
    try {
      this.#refuseLate(sender, started)
      this.#metering.rejectOverBudget(sender.client)
      const { document, definition, isPrivate } = this.#prepareDocument(request, sender)
      const end = (result: OperationResult) => {
        const { cost, upstreamRequests } = open
        this.#reports.end(sender, { started, trace, result, definition, cost, upstreamRequests })
        return result
      }
      // One literal: V8 takes microseconds for a spread among properties.
      const open: OpenOperation = {
        type: definition.operation,
        document,
        definition,
        isPrivate,
        request,
        sender: trace ? { ...sender, trace } : sender,
        cacheable: undefined,
        cost: undefined,
        upstreamRequests: undefined,
        run: (isText = false) => {
          const result = this.#run(open, isText)
          return isPromise(result) ? result.then(end) : end(result)
        },
      }
      return open
    } catch (error) {
      const result = this.#refuse(error, sender)
      this.#reports.end(sender, { started, trace, result })
      return result
    }
  }

  async run(request: OperationRequest, sender: Sender): Promise<OperationResult> {
    const operation = this.prepare(request, sender)
    return 'errors' in operation ? operation : operation.run()
  }

  /**
   * Charges and reports an operation whose result is sent again. False if it has to be run: the client
   * may not spend its cost, or wants to know it.
   */
  serveCached({ name, points }: CacheableResult, sender: Sender): boolean {
    if (sender.wantsCost || !this.#metering.mayServe(sender.client, points)) return false
    this.#reports.served(sender, name)
    return true
  }

  /** Throws if the operation has waited for its whole time. */
  #refuseLate({ arrivedAt = Number.POSITIVE_INFINITY }: Sender, now: number): void {
    if (now - arrivedAt >= this.#services.shared.limits.timeoutMs) throw tooBusy()
  }

  /** Formats the errors of an operation that does not run. The client pays for the work on it. */
  #refuse(error: unknown, sender: Sender): Refused {
    const errors = error instanceof AggregateError ? error.errors : [error]
    this.#metering.refusal(sender.client, error)
    return { errors: formatErrors(errors, sender, this.#services.formatError) }
  }

  /**
   * Prices, charges and runs an operation. Never throws or rejects. An async function would cost an operation several
   * promises that it need not wait for.
   */
  #run(open: OpenOperation, isText: boolean): OperationResult | Promise<OperationResult> {
    const { request, document, definition, sender } = open
    const { operationName, variables } = request
    const onError = (error: unknown) => this.#refuse(error, sender)
    const { epoch } = this.#services.shared.network
    try {
      const target = { document, operation: definition, variables: variables ?? {} }
      const { cost: points, coerced } = this.#checkCost(target)
      open.cost = points
      this.#metering.operation(sender.client, points)
      const args: RunArgs = {
        document,
        operationName,
        variables: target.variables,
        coerced,
        isText,
      }
      if (definition.operation === OperationTypeNode.SUBSCRIPTION) {
        throwIfSet(sender.reserve?.())
        return this.#subscriptions.open(args, sender, points).catch(onError)
      }
      const scoped = this.#execution.execute(args, sender, points)
      return isPromise(scoped)
        ? scoped.then((value) => this.#finish(open, value, epoch)).catch(onError)
        : this.#finish(open, scoped, epoch)
    } catch (error) {
      return onError(error)
    }
  }

  /** `epoch` is that of the settings when the operation began. */
  #finish(open: OpenOperation, scoped: ScopedResult, epoch: number): ExecutionResult {
    const { result, scope } = scoped
    const { sender, cost = 0 } = open
    const { clock, limits } = this.#services.shared
    this.#metering.answer(sender.client, scoped)
    open.upstreamRequests = scope.budget.requests
    if (sender.wantsCost) {
      const extension = costExtension(cost, limits.maxCost, this.#metering.left(sender.client), scoped)
      return { ...result, extensions: { ...result.extensions, cost: extension } }
    }
    if (!result.errors && scope.freshness.until > clock.now()) {
      open.cacheable = cacheableOf(open, scope.freshness.until, epoch)
    }
    return result
  }
}

/** The result of a query for all clients. Undefined for other operations. */
function cacheableOf(
  { definition, isPrivate, cost: points = 0 }: OpenOperation,
  freshUntil: number,
  epoch: number,
): CacheableResult | undefined {
  if (definition.operation !== OperationTypeNode.QUERY || isPrivate) return undefined
  return { name: definition.name?.value, points, freshUntil, epoch }
}

/** The cost of an operation, the points that its client has left, what upstreams did for it, and its rows. */
const costExtension = (points: number, maxPoints: number, left: number, { rows, scope: { budget } }: ScopedResult) => ({
  points,
  maxPoints,
  ...(Number.isFinite(left) && { pointsLeft: Math.floor(left) }),
  upstreamRequests: budget.requests,
  upstreamBytes: budget.bytes,
  rows,
})
