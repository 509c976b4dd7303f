import { type ExecutionResult, OperationTypeNode } from 'graphql'
import type { Limits } from '../../../config/limits/limits.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { Network } from '../../../upstream/network.ts'
import type { Client, TracedClient } from '../client.ts'
import type { createCostCheck } from '../cost/checkCost.ts'
import { isPromise } from '../isPromise.ts'
import { type Charges, throwIfSet } from './charges.ts'
import { type RunArgs, type ScopedResult, tooBusy } from './execution.ts'
import type {
  CacheableResult,
  Operation,
  OperationRequest,
  OperationResult,
  Refused,
} from './operation.ts'
import type { PreparedDocument } from './prepare.ts'
import type { Runner } from './runner.ts'

/** A valid operation while it runs. */
export interface OpenOperation extends Operation, PreparedDocument {
  readonly request: OperationRequest
  readonly client: TracedClient
  cacheable: CacheableResult | undefined
  /** Undefined until it is known. */
  cost: number | undefined
}

/** Runs prepared operations. */
export interface Operations {
  /** Throws if the operation has waited for its whole time. */
  refuseLate(client: Client, now: number): void
  /** Charges and runs an operation. Never throws or rejects. */
  run(open: OpenOperation, isText: boolean): OperationResult | Promise<OperationResult>
  /** Formats the errors of an operation that does not run. The client pays for the work on it. */
  refuse(error: unknown, client: Client): Refused
}

/** The stages that an operation passes. */
export interface OperationsOptions {
  readonly checkCost: ReturnType<typeof createCostCheck>
  readonly charges: Charges
  readonly runner: Runner
  readonly clock: Clock
  readonly limits: Pick<Limits, 'timeoutMs' | 'maxCost'>
  readonly network: Pick<Network, 'epoch'>
}

/** Creates the stage that charges and runs operations. */
export function createOperations(options: OperationsOptions): Operations {
  const { checkCost, charges, runner, clock, limits, network } = options

  const refuse = (error: unknown, client: Client): Refused => {
    charges.refusal(client, error)
    return { errors: runner.formatErrors(errorsOf(error), client) }
  }

  const subscribe = (args: RunArgs, client: TracedClient, points: number) => {
    throwIfSet(client.reserve?.())
    return runner.subscribe(args, client, {
      onEvent: () => charges.event(client, points),
      onAnswer: (answer) => charges.answer(client, answer),
      onFault: () => charges.fault(client),
    })
  }

  /** `epoch` is that of the settings when the operation began. */
  const finish = (open: OpenOperation, scoped: ScopedResult, epoch: number): ExecutionResult => {
    const { result, scope } = scoped
    const { client, cost = 0 } = open
    charges.answer(client, scoped)
    if (client.wantsCost) {
      const extension = costExtension(cost, limits.maxCost, charges.left(client), scoped)
      return { ...result, extensions: { ...result.extensions, cost: extension } }
    }
    if (!result.errors && scope.freshUntil > clock.now()) {
      open.cacheable = cacheableOf(open, scope.freshUntil, epoch)
    }
    return result
  }

  return {
    refuse,
    refuseLate({ arrivedAt = Number.POSITIVE_INFINITY }, now) {
      if (now - arrivedAt >= limits.timeoutMs) throw tooBusy()
    },

    // An async function would cost an operation several promises that it need not wait for.
    run(open, isText) {
      const { request, document, definition, client } = open
      const { operationName, variables } = request
      const onError = (error: unknown) => refuse(error, client)
      const { epoch } = network
      try {
        const target = { document, operation: definition, variables: variables ?? {} }
        const { cost, coerced } = checkCost(target)
        open.cost = cost.complexity
        charges.operation(client, cost.complexity)
        const args = { document, operationName, variables: target.variables, coerced, isText }
        if (definition.operation === OperationTypeNode.SUBSCRIPTION) {
          return subscribe(args, client, cost.complexity).catch(onError)
        }
        const scoped = runner.execute(args, client, cost.complexity)
        return isPromise(scoped)
          ? scoped.then((value) => finish(open, value, epoch)).catch(onError)
          : finish(open, scoped, epoch)
      } catch (error) {
        return onError(error)
      }
    },
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
const costExtension = (
  points: number,
  maxPoints: number,
  left: number,
  { rows, scope: { budget } }: ScopedResult,
) => ({
  points,
  maxPoints,
  ...(Number.isFinite(left) && { pointsLeft: Math.floor(left) }),
  upstreamRequests: budget.requests,
  upstreamBytes: budget.bytes,
  rows,
})

const errorsOf = (error: unknown): readonly unknown[] =>
  error instanceof AggregateError ? error.errors : [error]
