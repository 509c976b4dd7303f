import type { Now, ObservationContext } from './model.ts'
import { type History, intervalOf, nextDelay } from './nextDelay.ts'
import type {
  Effect,
  Subscriber,
  Transition,
  WatchDefinition,
  WatchEvent,
  WatchState,
} from './watchState.ts'

/** Milliseconds until an unknown target is registered again: a proxy may have confirmed what it then lost. */
const registerAgainMs = 15_000

/** A response of a peer that is at most this part of an interval old counts as a poll. */
const sharedPart = 0.7

const never = Number.POSITIVE_INFINITY

interface Turn<M, O, E> extends WatchDefinition<M, O, E>, Now {}

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
  const turn = { ...definition, ...moment }
  switch (event.type) {
    case 'join':
      return onJoin(turn, state, event.join)
    case 'leave':
      return onLeave(state, event.demand)
    case 'due':
      return state.phase === 'waiting' ? fetch(turn, state) : [state, []]
    case 'answered':
      return onAnswer(turn, state, event)
    case 'registered':
      if (!event.isDone) return onMissing(turn, state)
      return fetch(turn, { ...state, registerAt: turn.now + registerAgainMs, maxAgeMs: 0 })
    case 'failed':
      return onFailure(turn, state, event)
    case 'peerAnswered':
      return onPeerAnswer(turn, state, event)
    case 'peerFailed':
      return onPeerFailure(turn, state, event)
    case 'series': {
      const watchedSince = Math.min(state.watchedSince, turn.now - event.seriesMs)
      return [{ ...state, watchedSince }, []]
    }
    case 'learned':
      return observe(turn, state, event.value, { by: 'query', ageMs: 0 })
    case 'closed':
      return [{ ...state, phase: 'ended' }, [{ type: 'stop' }]]
  }
}

function onJoin<M, O, E>(
  turn: Turn<M, O, E>,
  state: WatchState<M>,
  { client, demand, expectedMs, canRegister }: Subscriber,
): Transition<M, E> {
  const { model, rules, now } = turn
  const joined: WatchState<M> = {
    ...state,
    listeners: state.listeners + 1,
    demand: state.demand + demand,
    client: state.listeners === 0 ? client : state.client,
    expectedMs: Math.min(state.expectedMs, expectedMs),
    registerAt: state.registerAt === never && canRegister ? now : state.registerAt,
  }
  const asked = { ...joined, owner: { client, isUrgent: true } }
  if (joined.demand === 0) return [joined, []]
  if (state.demand === 0) {
    const known = model.resume?.(state.model, now) ?? state.model
    const { firstMaxAgeMs: maxAgeMs } = rules
    const resumed = { ...asked, model: known, foundAt: now, maxAgeMs }
    if (state.phase === 'fetching') return [resumed, []]
    return waitFor(turn, resumed, Math.max(0, state.dueAt - now))
  }
  if (state.phase === 'fetching' || state.faults > 0) return [joined, []]
  const ageMs = now - state.polledAt
  if (ageMs >= rules.freshMs) {
    const maxAgeMs = Math.min(state.maxAgeMs ?? rules.freshMs, rules.freshMs)
    return waitFor(turn, { ...asked, maxAgeMs }, 0)
  }
  const rhythm = model.rhythm(state.model, joined, turn)
  if (intervalOf(rhythm, joined.demand) >= intervalOf(rhythm, state.demand)) return [joined, []]
  const soon = nextDelay({ rhythm, faults: 0 }, joined.demand, 0.5) - ageMs
  if (now + soon >= state.dueAt) return [joined, []]
  return waitFor(turn, joined, Math.max(0, soon))
}

function onLeave<M, E>(before: WatchState<M>, ownDemand: number): Transition<M, E> {
  const listeners = before.listeners - 1
  const demand = before.demand - ownDemand
  const state = { ...before, listeners, demand }
  if (listeners === 0) return [{ ...state, phase: 'ended' }, [{ type: 'stop' }]]
  if (demand > 0 || state.phase !== 'waiting') return [state, []]
  return [{ ...state, phase: 'idle' }, [{ type: 'timer', inMs: null }]]
}

function fetch<M, O, E>(turn: Turn<M, O, E>, state: WatchState<M>): Transition<M, E> {
  const { model, rules } = turn
  const { demand, owner } = state
  const interval = intervalOf(model.rhythm(state.model, state, turn), demand)
  const maxAgeMs = state.maxAgeMs ?? Math.min(rules.freshMs, sharedPart * interval)
  return [{ ...state, phase: 'fetching' }, [{ type: 'fetch', maxAgeMs, owner }]]
}

function onAnswer<M, O, E>(
  turn: Turn<M, O, E>,
  state: WatchState<M>,
  { value, peerAgeMs }: Extract<WatchEvent<O>, { type: 'answered' }>,
): Transition<M, E> {
  const { now } = turn
  const ageMs = peerAgeMs ?? 0
  const answered = { ...state, faults: 0, polledAt: now - ageMs }
  if (value === null && now >= state.registerAt) {
    return [answered, [{ type: 'register', owner: state.owner }]]
  }
  if (value === null) return onMissing(turn, answered)
  const by = peerAgeMs === undefined ? 'self' : 'peer'
  const observed = observe(turn, answered, value, { by, ageMs })
  if (ageMs < turn.rules.freshMs)
    return then(observed, (next) => schedule(turn, next, { peerAgeMs }))
  const maxAgeMs = sharedPart * turn.rules.freshMs
  return then(observed, (next) => waitFor(turn, { ...next, maxAgeMs }, 0))
}

/** The upstream does not know the target. */
function onMissing<M, O, E>(turn: Turn<M, O, E>, state: WatchState<M>): Transition<M, E> {
  if (isLost(turn, state)) return ended(state, turn.rules.notFound())
  return schedule(turn, state, {})
}

function onFailure<M, O, E>(
  turn: Turn<M, O, E>,
  before: WatchState<M>,
  { error, retryAfterMs, tookMs }: Extract<WatchEvent<O>, { type: 'failed' }>,
): Transition<M, E> {
  const { model } = turn
  const state = { ...before, faults: before.faults + 1 }
  if (model.isFatal(state.model, error) || isLost(turn, state)) return ended(state, error)
  const [next, effects] = schedule(turn, state, { retryAfterMs, tookMs })
  return [next, [...effects, ...emits(model.onFault?.(error) ?? [])]]
}

/** A peer has read it. That peer polls next, and this process only if it does not. */
function onPeerAnswer<M, O, E>(
  turn: Turn<M, O, E>,
  state: WatchState<M>,
  { value, ageMs }: Extract<WatchEvent<O>, { type: 'peerAnswered' }>,
): Transition<M, E> {
  const { now } = turn
  // The peer may be unable to register what is missing.
  if (value === null && now >= state.registerAt) return [state, []]
  const observed: Transition<M, E> =
    value === null ? [state, []] : observe(turn, state, value, { by: 'peer', ageMs })
  if (state.phase === 'fetching') return observed
  return then(observed, (next) => {
    const polled = { ...next, faults: 0, polledAt: now - ageMs }
    return schedule(turn, polled, { peerAgeMs: ageMs })
  })
}

function onPeerFailure<M, O, E>(
  turn: Turn<M, O, E>,
  state: WatchState<M>,
  { error, retryAfterMs, ageMs }: Extract<WatchEvent<O>, { type: 'peerFailed' }>,
): Transition<M, E> {
  // Only an own request can end the watch.
  const isOwnTurn = turn.model.isFatal(state.model, error) || isLost(turn, state)
  if (state.phase === 'fetching' || isOwnTurn) return [state, []]
  const fault = { faults: state.faults + 1, retryAfterMs, peerAgeMs: ageMs }
  return schedule(turn, state, fault)
}

function observe<M, O, E>(
  { model, now, date, random }: Turn<M, O, E>,
  state: WatchState<M>,
  value: O,
  context: Pick<ObservationContext, 'by' | 'ageMs'>,
): Transition<M, E> {
  const { demand } = state
  const observed = model.observe(state.model, value, { now, date, random, demand, ...context })
  const next: WatchState<M> = {
    ...state,
    model: observed.model,
    isFound: true,
    foundAt: context.by === 'query' ? state.foundAt : now,
    // An upstream that forgets the target later is given it again at once.
    registerAt: state.isFound || state.registerAt === never ? state.registerAt : state.startedAt,
  }
  if (!observed.isEnd) return [next, emits(observed.events)]
  return [{ ...next, phase: 'ended' }, [...emits(observed.events), { type: 'end' }]]
}

const emits = <E>(events: readonly E[]): Effect<E>[] =>
  events.map((event) => ({ type: 'emit', event }))

const ended = <M, E>(state: WatchState<M>, error: unknown): Transition<M, E> => [
  { ...state, phase: 'ended' },
  [{ type: 'end', error: { error } }],
]

/** Adds what follows, unless the watch has ended. */
function then<M, E>(
  [state, effects]: Transition<M, E>,
  follow: (state: WatchState<M>) => Transition<M, E>,
): Transition<M, E> {
  if (state.phase === 'ended') return [state, effects]
  const [next, more] = follow(state)
  return [next, [...effects, ...more]]
}

const isLost = <M, O, E>({ rules, now }: Turn<M, O, E>, state: WatchState<M>) =>
  now - state.foundAt >= rules.maxUnavailableMs

/** Chooses when the next poll is. */
function schedule<M, O, E>(
  turn: Turn<M, O, E>,
  state: WatchState<M>,
  history: Partial<History>,
): Transition<M, E> {
  const { model, rules } = turn
  const { client, demand, faults } = state
  const rhythm = model.rhythm(state.model, state, turn)
  const delay = nextDelay({ faults, ...history, rhythm }, demand, turn.random)
  const owner = { client, isUrgent: rules.isUrgent }
  return waitFor(turn, { ...state, maxAgeMs: undefined, owner }, delay)
}

/** Waits that long for the next poll, or until the watch has lasted too long. */
function waitFor<M, O, E>(
  { rules, now }: Turn<M, O, E>,
  state: WatchState<M>,
  delay: number,
): Transition<M, E> {
  const left = state.startedAt + rules.deadlineMs - now
  if (left <= 0) return ended(state, rules.tooLong())
  const inMs = Math.min(delay, left)
  const dueAt = now + inMs
  if (state.demand === 0) return [{ ...state, phase: 'idle', dueAt }, []]
  return [{ ...state, phase: 'waiting', dueAt }, [{ type: 'timer', inMs }]]
}
