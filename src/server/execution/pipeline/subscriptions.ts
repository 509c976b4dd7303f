import type { ExecutionResult, GraphQLSchema } from 'graphql'
import type { SharedContext } from '../../../graphql/builder.ts'
import type { Telemetry } from '../../../telemetry/telemetry.ts'
import type { TracedClient } from '../client.ts'
import type { Executor } from '../compiled/executor.ts'
import { withEventId } from './eventId.ts'
import type { CountedAnswer, Execution, RunArgs } from './execution.ts'
import { resultText } from './jsonResult.ts'
import { isAsyncIterable, mapEvents } from './mapEvents.ts'
import type { ResultFormat } from './resultFormat.ts'
import type { OpenScope } from './scopes.ts'
import { atRootField, rootFieldOf } from './streamError.ts'

/** The calls of a subscription to the pipeline that runs it. */
export interface SubscriptionEvents {
  readonly onEvent: () => void
  readonly onAnswer: (answer: CountedAnswer) => void
  readonly onFault: () => void
}

/** Opens subscriptions, as `Runner.subscribe` says. */
export interface Subscriptions {
  subscribe(
    args: RunArgs,
    client: TracedClient,
    on: SubscriptionEvents,
  ): Promise<ExecutionResult | AsyncIterableIterator<ExecutionResult>>
}

/** The parts of a runner that subscriptions use. */
export interface SubscriptionsOptions {
  readonly shared: SharedContext
  readonly schema: GraphQLSchema
  readonly executor: Executor
  readonly execution: Execution
  readonly telemetry: Pick<Telemetry, 'onSubscription'>
  readonly openScope: OpenScope
  readonly format: ResultFormat
}

/** Creates the subscriptions of a runner. */
export function createSubscriptions(options: SubscriptionsOptions): Subscriptions {
  const { shared, schema, executor, execution, telemetry, openScope, format } = options
  const { turns } = shared

  /** The properties that the field of a subscription declares for its events. */
  const eventRules = (args: RunArgs) => {
    const name = rootFieldOf(args)?.name.value ?? ''
    return schema.getSubscriptionType()?.getFields()[name]?.extensions ?? {}
  }

  return {
    async subscribe(args, client, { onEvent, onAnswer, onFault }) {
      const { lastEventId } = client
      const context = { ...shared, scope: openScope(client.signal, client), lastEventId }
      const { eventTimeoutMs, isState = false, eventKey, eventsAtOnce } = eventRules(args)
      const milliseconds = execution.eventTimeout(eventTimeoutMs)
      const isNews = isState ? createNews() : () => true
      const source = await executor.subscribe({ ...args, context })
      if (!isAsyncIterable(source)) return format.result(source, client)
      return mapEvents(source, {
        ...{ signal: client.signal, keyOf: eventKey, eventsAtOnce, isInTurn: isState },
        async run(event) {
          onEvent()
          const runArgs = { ...args, rootValue: event }
          // One event can have thousands of readers.
          const scoped = await turns.run(client.key, () =>
            execution.execute(runArgs, client, 0, milliseconds),
          )
          const { result } = scoped
          if (!isNews(result, eventKey?.(event))) return undefined
          onAnswer(scoped)
          return withEventId(result, event)
        },
        onEnd: telemetry.onSubscription(),
        formatError(error) {
          onFault()
          return format.error(atRootField(error, args), client.requestId)
        },
      })
    },
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
