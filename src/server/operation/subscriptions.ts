import {
  type ExecutionResult,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  getOperationAST,
  Kind,
  locatedError,
  type SelectionNode,
} from 'graphql'
import type { ExecutorArgs } from './compiled/executor.ts'
import type { Execution, RunArgs } from './execution.ts'
import { isAsyncIterable, mapEvents } from './mapEvents.ts'
import type { Metering } from './metering.ts'
import type { OperationServices } from './operationServices.ts'
import { formatResult, resultText } from './result.ts'
import type { Sender } from './sender.ts'

export class Subscriptions {
  readonly #services: SubscriptionServices
  readonly #execution: Execution
  readonly #metering: Metering

  constructor(services: SubscriptionServices, execution: Execution, metering: Metering) {
    this.#services = services
    this.#execution = execution
    this.#metering = metering
  }

  /**
   * Opens the source of a subscription that costs this many points, and runs each of its events when the turn of its client
   * comes. Resolves to the errors if the source cannot be opened.
   */
  async open(
    args: RunArgs,
    sender: Sender,
    points: number,
  ): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>> {
    const { shared, executor, telemetry, formatError } = this.#services
    const { timeoutMs } = shared.limits
    const [execution, metering] = [this.#execution, this.#metering]
    const { lastEventId } = sender
    const context = { ...shared, scope: execution.openScope(sender.signal, sender), errorsBeside: [], lastEventId }
    const { eventTimeoutMs, isState = false, eventKey, eventsAtOnce } = this.#eventRules(args)
    const milliseconds = Math.min(eventTimeoutMs ?? timeoutMs, timeoutMs)
    const isNews = isState ? createNews() : () => true
    const source = await executor.subscribe({ ...args, context })
    if (!isAsyncIterable(source)) return formatResult(source, sender, formatError)
    return mapEvents(source, {
      signal: sender.signal,
      keyOf: eventKey,
      eventsAtOnce,
      isInTurn: isState,
      async run(event) {
        metering.event(sender.client, points)
        const runArgs = { ...args, rootValue: event }
        // One event can have thousands of readers.
        const scoped = await sender.client.turn(() => execution.execute(runArgs, sender, 0, milliseconds))
        const { result } = scoped
        if (!isNews(result, eventKey?.(event))) return undefined
        metering.answer(sender.client, scoped)
        return withEventId(result, event)
      },
      onEnd: telemetry.onSubscription(),
      formatError(error) {
        metering.fault(sender.client)
        return formatError(atRootField(error, args), sender.requestId)
      },
    })
  }

  /** The properties that the field of a subscription declares for its events. */
  #eventRules(args: RunArgs) {
    const name = rootFieldOf(args)?.name.value ?? ''
    return this.#services.schema.getSubscriptionType()?.getFields()[name]?.extensions ?? {}
  }
}

/** Returns whether a result differs from the one before it of the same key, in its data or its errors. */
function createNews(): (result: ExecutionResult, key: unknown) => boolean {
  const texts = new Map<unknown, string>()
  return ({ data, errors = [] }, key) => {
    // The id of the request, which errors have, is the same for all events.
    const text = resultText({ errors, data })
    if (texts.get(key) === text) return false
    texts.set(key, text)
    return true
  }
}

declare module 'graphql' {
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs> {
    /** Milliseconds that the fields of one event of a subscription may take. Fields that are late are null. */
    eventTimeoutMs?: number
    /** Whether each event has the whole state of its key. It is then not sent if nothing selected has changed. */
    isState?: boolean
    /** The thing that an event of a subscription is about. Those of others do not wait for it. */
    eventKey?: (event: unknown) => unknown
    /** The most events of a subscription whose fields are resolved at once. By default 1. */
    eventsAtOnce?: number
  }
}

const eventId = Symbol('eventId')

/** A result that knows the id of its event. The id is made when it is read. */
type IdentifiedResult = ExecutionResult & { readonly [eventId]?: () => string }

/** The result of an event, with the cursor of the event as its id, if the event has one. */
function withEventId(result: ExecutionResult, event: unknown): ExecutionResult {
  const identified: IdentifiedResult = hasCursor(event) ? { ...result, [eventId]: event.cursor } : result
  return identified
}

const hasCursor = (event: unknown): event is { readonly cursor: () => string } =>
  typeof event === 'object' && event !== null && 'cursor' in event && typeof event.cursor === 'function'

/** The id of the event of a result. Undefined if a client cannot continue after it. */
export const eventIdOf = (result: IdentifiedResult): string | undefined => result[eventId]?.()

/** An error that ends the source of a subscription, at its field. */
function atRootField(error: unknown, operation: NamedOperation): GraphQLError {
  const field = rootFieldOf(operation)
  return locatedError(error, field, field && [field.alias?.value ?? field.name.value])
}

type NamedOperation = Pick<ExecutorArgs, 'document' | 'operationName'>

/** The field at the root of a subscription. There is only one. */
function rootFieldOf({ document, operationName }: NamedOperation): FieldNode | undefined {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    }
  }
  const fieldIn = (selections: readonly SelectionNode[]): FieldNode | undefined => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) return selection
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value)
      const field = inner && fieldIn(inner.selectionSet.selections)
      if (field) return field
    }
    return undefined
  }
  const operation = getOperationAST(document, operationName) ?? undefined
  return operation && fieldIn(operation.selectionSet.selections)
}
type SubscriptionServices = Pick<OperationServices, 'shared' | 'schema' | 'executor' | 'telemetry' | 'formatError'>
