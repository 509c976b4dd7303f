import { isDeepStrictEqual } from 'node:util'
import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import { UpstreamHttpError } from '../../../engine/upstream/upstreamError.ts'
import { slowTimeoutMs } from '../../../engine/upstream/upstreamOptions.ts'
import { defineTopic } from '../../../engine/watch/model.ts'
import type { StateSource } from '../../../engine/watch/stateSource.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import type { Clock } from '../../../kit/clock/clock.ts'
import { routerOf } from '../routerClient.ts'
import type { RouteShape } from './readRoute.ts'
import { checkedBody, orNoRoute, quoteCall, Route } from './route.ts'
import { RouteInput } from './routeInput.ts'

/** The state of a quote: the route, null if there is none, or why there is none that is new. */
type Quote = { readonly route: RouteShape | null } | { readonly fault: GatewayError; readonly isRefusal: boolean }

/** So many polls fail before the subscribers get the error. A single one is often chance. */
const failuresToTell = 3

const topic = defineTopic<Quote>('quotes')

/** Whether the router rejected the request, so that repeating it cannot help. */
const isRefusal = (error: unknown): error is UpstreamHttpError =>
  error instanceof UpstreamHttpError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 408 &&
  error.status !== 429

/** Milliseconds between two requests for a quote, which all subscribers with the same question share. */
const intervalMs = 5_000

/** Milliseconds beside those of the request itself, whose own timeout comes first. */
const graceMs = 250

/** The target of polls for the same quote. `body` is the request as JSON. */
function quoteTarget(context: Context, body: string): StateSource<Quote> {
  const { network } = context
  const router = routerOf(context)
  const call = quoteCall(context, body)
  const { client } = context.scope.requester
  const isRefused = (quote: Quote) => 'fault' in quote && quote.isRefusal
  let failures = 0
  return {
    topic,
    key: `${network.routerSite} ${body}`,
    client,
    pace: { intervalMs, timeoutMs: slowTimeoutMs + graceMs },
    fetch: (signal) =>
      orNoRoute(router.send(call, signal, { client })).then(
        (route) => {
          failures = 0
          return { route }
        },
        (error: unknown) => {
          if (isRefusal(error)) return { fault: error, isRefusal: true }
          failures += 1
          // It is one state however long it lasts, so that the poll still ends after ten minutes without a quote.
          if (failures !== failuresToTell || !(error instanceof GatewayError)) throw error
          return { fault: error, isRefusal: false }
        },
      ),
    equals: isDeepStrictEqual,
    isStale: () => false,
    isFinal: isRefused,
    isIrreversible: () => false,
    isSettled: isRefused,
    isFatal: () => false,
    messages: {
      timeout: 'The request for the quote timed out.',
      notFound: 'The router does not answer.',
      stillPending: (deadlineMs) =>
        `The quote was watched for ${deadlineMs / 3_600_000} hours. Subscribe again to continue.`,
    },
  }
}

const expired: Quote = {
  fault: new GatewayError('UPSTREAM_UNAVAILABLE', 'The quote has expired, and the router has given no other since.', {
    service: 'router',
    reason: 'QUOTE_EXPIRED',
  }),
  isRefusal: false,
}

/** The quotes, and an error when one expires before the next has come. */
const untilExpired = (quotes: AsyncIterableIterator<Quote>, clock: Clock) =>
  new Repeater<Quote>(async (push, stop) => {
    let cancelTimer = () => {}
    let validUntil = 0
    stop.then(() => {
      cancelTimer()
      void quotes.return?.()
    })
    try {
      for await (const quote of quotes) {
        // The last quote stands until it expires: polls that fail before then are not sent.
        if ('fault' in quote && !quote.isRefusal && validUntil > 0) continue
        cancelTimer()
        const expiresAt = 'route' in quote ? ifReadable(quote.route?.expiresAt) : null
        validUntil = expiresAt === null ? 0 : Date.parse(expiresAt)
        const left = validUntil - clock.date()
        // A quote that has expired on arrival shows that the router's clock differs.
        cancelTimer = left > 0 ? clock.after(left, () => void push(expired)) : () => {}
        void push(quote)
      }
      stop()
    } catch (error) {
      stop(error)
    }
  }, new SlidingBuffer(1))

builder.subscriptionField('route', (t) =>
  t.field({
    type: Route,
    nullable: true,
    description:
      'The best route, then each change of the selection. Null while there is none, and with an error after three failed polls or when it expires, until a new quote comes. Ends if the router refuses.',
    args: {
      input: t.arg({
        type: RouteInput,
        required: true,
        description: 'The asset to send and its destination.',
      }),
    },
    complexity: callCost,
    extensions: { isState: true },
    subscribe: async (_root, { input }, context) => {
      const body = await checkedBody(context, input)
      const { poller, clock } = liveOf(context)
      return untilExpired(poller.watch(quoteTarget(context, body)), clock)
    },
    resolve: (quote) => {
      if ('fault' in quote) throw quote.fault
      return quote.route
    },
  }),
)
