import type { Model, Now, ObservationContext, WatchRules } from './model.ts'
import { type History, intervalOf, nextDelay } from './nextDelay.ts'
import type { Effect, Subscriber, Transition, WatchDefinition, WatchEvent, WatchState } from './watchState.ts'

// Shared polling is one machine, in two halves. This half decides: it is a function from the state of a watch and an
// event (a listener joined, the timer is due, the upstream answered or failed) to the next state and a list of effects
// (fetch, set the timer, tell the listeners, end). `loop.ts` is the other half: it carries the effects out, and feeds
// what comes of them back as events. Since nothing here waits or reads a clock, tests run thousands of random histories
// through it. What an observation means for the thing that is watched is in `models`, and how long to wait is in
// `nextDelay.ts`.

/**
 * Milliseconds that a registered target stays unknown before it is registered again: its upstream has lost it, or a proxy has
 * confirmed what the upstream never got.
 */
const lostAfterMs = 15_000

/** A response of a peer that is at most this part of an interval old counts as a poll. */
const sharedPart = 0.7

const never = Number.POSITIVE_INFINITY

/**
 * What an event makes of a watch. It has no clock and no promises: an effect that takes time comes back as an
 * event. At most one `fetch` or `register` is under way, and nothing follows `stop` or `end`.
 */
export function step<M, O, E>(
  definition: WatchDefinition<M, O, E>,
  state: WatchState<M>,
  event: WatchEvent<O>,
  moment: Now,
): Transition<M, E> {
  if (state.phase === 'ended') return [state, []]
  const turn = new Turn(definition, moment)
  switch (event.type) {
    case 'join':
      return turn.join(state, event.join)
    case 'leave':
      return turn.leave(state, event.demand)
    case 'due':
      return state.phase === 'waiting' ? turn.poll(state) : [state, []]
    case 'answered':
      return turn.answer(state, event)
    case 'registered':
      return turn.registered(state, event)
    case 'notRegistered':
      return turn.notRegistered(state, event.error)
    case 'failed':
      return turn.failure(state, event)
    case 'peerAnswered':
      return turn.peerAnswer(state, event)
    case 'peerFailed':
      return turn.peerFailure(state, event)
    case 'series': {
      const watchedSince = Math.min(state.watchedSince, moment.now - event.seriesMs)
      return [{ ...state, watchedSince }, []]
    }
    case 'learned':
      return turn.learned(state, event.value)
    case 'closed':
      return [{ ...state, phase: 'ended' }, [{ type: 'stop' }]]
  }
}

/** What each event makes of a watch at one moment. */
class Turn<M, O, E> {
  readonly #model: Model<M, O, E>
  readonly #rules: WatchRules
  readonly #moment: Now

  constructor({ model, rules }: WatchDefinition<M, O, E>, moment: Now) {
    this.#model = model
    this.#rules = rules
    this.#moment = moment
  }

  join(state: WatchState<M>, subscriber: Subscriber): Transition<M, E> {
    const { client, demand, expectedMs, canRegister } = subscriber
    const { now } = this.#moment
    const isFirstToRegister = canRegister && !state.isRegistered && !state.refusal && state.registerAt === never
    const joined: WatchState<M> = {
      ...state,
      listeners: state.listeners + 1,
      demand: state.demand + demand,
      client: state.listeners === 0 ? client : state.client,
      expectedMs: Math.min(state.expectedMs, expectedMs),
      registerAt: isFirstToRegister ? now : state.registerAt,
    }
    const asked = { ...joined, owner: { client, isUrgent: true } }
    if (joined.demand === 0) return [joined, []]
    const { freshMs, firstMaxAgeMs } = this.#rules
    if (state.demand === 0) {
      const model = this.#model.resume?.(state.model, now) ?? state.model
      const resumed = { ...asked, model, foundAt: now, maxAgeMs: firstMaxAgeMs }
      if (state.phase === 'fetching') return [resumed, []]
      return this.#waitFor(resumed, Math.max(0, state.dueAt - now))
    }
    if (state.phase === 'fetching' || state.faults > 0) return [joined, []]
    const ageMs = now - state.polledAt
    if (ageMs >= freshMs || isFirstToRegister) {
      const maxAgeMs = Math.min(state.maxAgeMs ?? freshMs, freshMs)
      return this.#waitFor({ ...asked, maxAgeMs }, 0)
    }
    const rhythm = this.#model.rhythm(state.model, joined, this.#moment)
    if (intervalOf(rhythm, joined.demand) >= intervalOf(rhythm, state.demand)) return [joined, []]
    const soon = nextDelay({ rhythm, faults: 0 }, joined.demand, 0.5) - ageMs
    return now + soon >= state.dueAt ? [joined, []] : this.#waitFor(joined, Math.max(0, soon))
  }

  leave(before: WatchState<M>, ownDemand: number): Transition<M, E> {
    const listeners = before.listeners - 1
    const demand = before.demand - ownDemand
    const state = { ...before, listeners, demand }
    if (listeners === 0) return [{ ...state, phase: 'ended' }, [{ type: 'stop' }]]
    if (state.phase !== 'waiting') return [state, []]
    if (demand === 0) return [{ ...state, phase: 'idle' }, [{ type: 'timer', inMs: null }]]
    // With less demand, it may be polled by itself again.
    return state.dueAt === never ? this.#schedule(state, {}) : [state, []]
  }

  /** Reads the target, which is registered first if that is still to be done: an upstream need not know it before. */
  poll(state: WatchState<M>): Transition<M, E> {
    return this.#moment.now >= state.registerAt ? this.#register(state) : this.#fetch(state)
  }

  #register(state: WatchState<M>): Transition<M, E> {
    const { owner, isRegistered } = state
    return [{ ...state, phase: 'fetching' }, [{ type: 'register', owner, isAgain: isRegistered }]]
  }

  #fetch(state: WatchState<M>): Transition<M, E> {
    const { demand, owner } = state
    const interval = intervalOf(this.#model.rhythm(state.model, state, this.#moment), demand)
    const maxAgeMs = state.maxAgeMs ?? Math.min(this.#rules.freshMs, sharedPart * interval)
    return [{ ...state, phase: 'fetching' }, [{ type: 'fetch', maxAgeMs, owner }]]
  }

  answer(state: WatchState<M>, { value, peerAgeMs }: Extract<WatchEvent<O>, { type: 'answered' }>): Transition<M, E> {
    const { now } = this.#moment
    const { freshMs } = this.#rules
    const ageMs = peerAgeMs ?? 0
    const answered = { ...state, faults: 0, polledAt: now - ageMs }
    if (value === null && this.#isForgotten(state)) return this.#register(answered)
    // An upstream that knew the target and now says nothing is at fault.
    if (value === null) return this.#missing({ ...answered, faults: state.isFound ? state.faults + 1 : 0 })
    const by = peerAgeMs === undefined ? 'self' : 'peer'
    return followedBy(this.#observe(answered, value, { by, ageMs }), (next) => {
      if (next.isUnfinished) return this.poll(next)
      if (ageMs < freshMs) return this.#schedule(next, { peerAgeMs })
      return this.#waitFor({ ...next, maxAgeMs: sharedPart * freshMs }, 0)
    })
  }

  /** What was read before the target was registered says nothing of it. */
  registered(
    state: WatchState<M>,
    { isDone, peerAgeMs = 0 }: Extract<WatchEvent<O>, { type: 'registered' }>,
  ): Transition<M, E> {
    const { now } = this.#moment
    if (!isDone) return this.#fetch({ ...state, isRegistered: false, registerAt: now })
    return this.#fetch({ ...state, isRegistered: true, registerAt: never, registeredAt: now, maxAgeMs: peerAgeMs })
  }

  /** A refusal is the end, unless the target is known all the same. Other faults are followed by another attempt. */
  notRegistered(state: WatchState<M>, error: unknown): Transition<M, E> {
    const isRefused = this.#model.isFatal(state.model, error)
    const { now } = this.#moment
    const next = isRefused ? { registerAt: never, refusal: { error } } : { registerAt: now }
    return this.#fetch({ ...state, isRegistered: false, ...next })
  }

  /** Whether the upstream has taken the target, and has not known it for long. */
  #isForgotten({ isRegistered, registeredAt, foundAt }: WatchState<M>): boolean {
    return isRegistered && this.#moment.now - Math.max(registeredAt, foundAt) >= lostAfterMs
  }

  /** A request outside of the polls can show that there is more to read. After a fault, the next poll does that. */
  learned(state: WatchState<M>, value: O): Transition<M, E> {
    const isReady = state.phase === 'waiting' && state.faults === 0
    return followedBy(this.#observe(state, value, { by: 'query', ageMs: 0 }), (next) =>
      next.isUnfinished && isReady ? this.poll(next) : [next, []],
    )
  }

  failure(
    before: WatchState<M>,
    { error, retryAfterMs, tookMs }: Extract<WatchEvent<O>, { type: 'failed' }>,
  ): Transition<M, E> {
    const state = { ...before, faults: before.faults + 1 }
    if (state.refusal && !state.isFound) return ended(state, state.refusal.error)
    if (this.#cannotGoOn(state, error)) return ended(state, error)
    const { model, events } = this.#model.onFault?.(state.model, error) ?? { ...state, events: [] }
    const [next, effects] = this.#schedule({ ...state, model }, { retryAfterMs, tookMs })
    return [next, [...effects, ...emits(events)]]
  }

  /** A peer has read it. That peer polls next, and this process only if it does not. */
  peerAnswer(
    state: WatchState<M>,
    { value, ageMs }: Extract<WatchEvent<O>, { type: 'peerAnswered' }>,
  ): Transition<M, E> {
    const { now } = this.#moment
    // The peer may be unable to register what is missing.
    if (value === null && now >= state.registerAt) return [state, []]
    const polled = { faults: 0, polledAt: now - ageMs }
    const isFetching = state.phase === 'fetching'
    if (value === null) {
      return isFetching ? [state, []] : this.#missing({ ...state, ...polled }, { peerAgeMs: ageMs })
    }
    return followedBy(this.#observe(state, value, { by: 'peer', ageMs }), (next) =>
      isFetching ? [next, []] : this.#schedule({ ...next, ...polled }, { peerAgeMs: ageMs }),
    )
  }

  peerFailure(
    state: WatchState<M>,
    { error, retryAfterMs, ageMs }: Extract<WatchEvent<O>, { type: 'peerFailed' }>,
  ): Transition<M, E> {
    // Only an own request can end the watch.
    if (state.phase === 'fetching' || this.#cannotGoOn(state, error)) return [state, []]
    return this.#schedule(state, { faults: state.faults + 1, retryAfterMs, peerAgeMs: ageMs })
  }

  /** The upstream does not know the target. */
  #missing(state: WatchState<M>, history: Partial<History> = {}): Transition<M, E> {
    if (state.refusal) return ended(state, state.refusal.error)
    if (this.#isLost(state)) return ended(state, this.#rules.notFound())
    const { isRegistered, foundAt } = state
    const { now, date } = this.#moment
    const since = date - (now - foundAt)
    const search = { since, until: since + this.#rules.maxUnavailableMs, isRegistered }
    const { model, events } = this.#model.onMissing?.(state.model, search) ?? {
      ...state,
      events: [],
    }
    const [next, effects] = this.#schedule({ ...state, model }, history)
    return [next, [...effects, ...emits(events)]]
  }

  #isLost(state: WatchState<M>): boolean {
    return this.#moment.now - state.foundAt >= this.#rules.maxUnavailableMs
  }

  #cannotGoOn(state: WatchState<M>, error: unknown): boolean {
    return this.#model.isFatal(state.model, error) || this.#isLost(state)
  }

  #observe(state: WatchState<M>, value: O, context: Pick<ObservationContext, 'by' | 'ageMs'>): Transition<M, E> {
    const { demand } = state
    const observed = this.#model.observe(state.model, value, {
      ...this.#moment,
      demand,
      ...context,
    })
    const next: WatchState<M> = {
      ...state,
      model: observed.model,
      isFound: true,
      isUnfinished: observed.isUnfinished ?? false,
      foundAt: context.by === 'query' ? state.foundAt : this.#moment.now,
    }
    if (!observed.isEnd) return [next, emits(observed.events)]
    return [{ ...next, phase: 'ended' }, [...emits(observed.events), { type: 'end' }]]
  }

  /** Chooses when the next poll is. */
  #schedule(state: WatchState<M>, history: Partial<History>): Transition<M, E> {
    const { client, demand, faults } = state
    const rhythm = this.#model.rhythm(state.model, state, this.#moment)
    const delay = nextDelay({ faults, ...history, rhythm }, demand, this.#moment.random)
    const owner = { client, isUrgent: this.#rules.isUrgent }
    return this.#waitFor({ ...state, maxAgeMs: undefined, owner }, delay)
  }

  /** Waits that long for the next poll, or until the watch has lasted too long. */
  #waitFor(state: WatchState<M>, delay: number): Transition<M, E> {
    const { now } = this.#moment
    const left = state.startedAt + this.#rules.deadlineMs - now
    if (left <= 0) return ended(state, this.#rules.tooLong())
    const inMs = Math.min(delay, left)
    const dueAt = now + inMs
    if (state.demand === 0) return [{ ...state, phase: 'idle', dueAt }, []]
    const timer = { type: 'timer', inMs: inMs === never ? null : inMs } as const
    return [{ ...state, phase: 'waiting', dueAt }, [timer]]
  }
}

const emits = <E>(events: readonly E[]): Effect<E>[] => events.map((event) => ({ type: 'emit', event }))

const ended = <M, E>(state: WatchState<M>, error: unknown): Transition<M, E> => [
  { ...state, phase: 'ended' },
  [{ type: 'end', error: { error } }],
]

/** Adds what follows, unless the watch has ended. */
function followedBy<M, E>(
  [state, effects]: Transition<M, E>,
  follow: (state: WatchState<M>) => Transition<M, E>,
): Transition<M, E> {
  if (state.phase === 'ended') return [state, effects]
  const [next, more] = follow(state)
  return [next, [...effects, ...more]]
}
