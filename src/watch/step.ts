import type { Moment, Seen } from './model.ts'
import { type History, intervalOf, nextDelay } from './nextDelay.ts'
import type { Effect, Joined, Stepped, WatchEvent, Watched, WatchState } from './watchState.ts'

/** Milliseconds until an unknown target is registered again: a proxy may have confirmed what it then lost. */
const registerAgainMs = 15_000

/** A response of a peer that is at most this part of an interval old counts as a poll. */
const sharedPart = 0.7

const never = Number.POSITIVE_INFINITY

/**
 * What an event makes of a watch. It has no clock and no promises: an effect that takes time comes back as an
 * event. At most one `fetch` or `register` is under way, and nothing follows `stop` or `end`.
 */
export function step<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  event: WatchEvent<O>,
  moment: Moment,
): Stepped<M, E> {
  if (state.phase === 'ended') return [state, []]
  switch (event.type) {
    case 'join':
      return onJoin(watched, state, event.join, moment)
    case 'leave':
      return onLeave(state, event.demand)
    case 'due':
      return state.phase === 'waiting' ? fetch(state) : [state, []]
    case 'answered':
      return onAnswer(watched, state, event, moment)
    case 'registered':
      if (!event.isDone) return onMissing(watched, state, moment)
      return fetch({ ...state, registerAt: moment.now + registerAgainMs, maxAgeMs: 0 })
    case 'failed':
      return onFailure(watched, state, event, moment)
    case 'peerAnswered':
      return onPeerAnswer(watched, state, event, moment)
    case 'peerFailed':
      return onPeerFailure(watched, state, event, moment)
    case 'series': {
      const watchedSince = Math.min(state.watchedSince, moment.now - event.seriesMs)
      return [{ ...state, watchedSince }, []]
    }
    case 'learned':
      return observe(watched, state, event.value, { ...moment, by: 'query', ageMs: 0 })
    case 'closed':
      return [{ ...state, phase: 'ended' }, [{ type: 'stop' }]]
  }
}

function onJoin<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  { client, demand, expectedMs, canRegister }: Joined,
  moment: Moment,
): Stepped<M, E> {
  const { model, rules } = watched
  const { now } = moment
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
    const resumed = { ...asked, model: known, foundAt: now }
    if (state.phase === 'fetching') return [resumed, []]
    return waitFor(watched, resumed, Math.max(0, state.dueAt - now), now)
  }
  if (state.phase === 'fetching' || state.faults > 0) return [joined, []]
  const ageMs = now - state.polledAt
  if (ageMs >= rules.freshMs) {
    const maxAgeMs = Math.min(state.maxAgeMs, rules.freshMs)
    return waitFor(watched, { ...asked, maxAgeMs }, 0, now)
  }
  const rhythm = model.rhythm(state.model, joined, moment)
  if (intervalOf(rhythm, joined.demand) >= intervalOf(rhythm, state.demand)) return [joined, []]
  const soon = nextDelay({ rhythm, faults: 0 }, joined.demand, 0.5) - ageMs
  if (now + soon >= state.dueAt) return [joined, []]
  return waitFor(watched, joined, Math.max(0, soon), now)
}

function onLeave<M, E>(before: WatchState<M>, ownDemand: number): Stepped<M, E> {
  const listeners = before.listeners - 1
  const demand = before.demand - ownDemand
  const state = { ...before, listeners, demand }
  if (listeners === 0) return [{ ...state, phase: 'ended' }, [{ type: 'stop' }]]
  if (demand > 0 || state.phase !== 'waiting') return [state, []]
  return [{ ...state, phase: 'idle' }, [{ type: 'timer', inMs: null }]]
}

function fetch<M, E>(state: WatchState<M>): Stepped<M, E> {
  const { maxAgeMs, owner } = state
  return [{ ...state, phase: 'fetching' }, [{ type: 'fetch', maxAgeMs, owner }]]
}

function onAnswer<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  { value, peerAgeMs }: Extract<WatchEvent<O>, { type: 'answered' }>,
  moment: Moment,
): Stepped<M, E> {
  const { now } = moment
  const ageMs = peerAgeMs ?? 0
  const answered = { ...state, faults: 0, polledAt: now - ageMs }
  if (value === null && now >= state.registerAt) {
    return [answered, [{ type: 'register', owner: state.owner }]]
  }
  if (value === null) return onMissing(watched, answered, moment)
  const by = peerAgeMs === undefined ? 'self' : 'peer'
  const observed = observe(watched, answered, value, { ...moment, by, ageMs })
  if (ageMs < watched.rules.freshMs)
    return then(observed, (next) => schedule(watched, next, { peerAgeMs }, moment))
  const maxAgeMs = sharedPart * watched.rules.freshMs
  return then(observed, (next) => waitFor(watched, { ...next, maxAgeMs }, 0, now))
}

/** The upstream does not know the target. */
function onMissing<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  moment: Moment,
): Stepped<M, E> {
  if (isLost(watched, state, moment)) return ended(state, watched.rules.notFound())
  return schedule(watched, state, {}, moment)
}

function onFailure<M, O, E>(
  watched: Watched<M, O, E>,
  before: WatchState<M>,
  { error, retryAfterMs, tookMs }: Extract<WatchEvent<O>, { type: 'failed' }>,
  moment: Moment,
): Stepped<M, E> {
  const { model } = watched
  const state = { ...before, faults: before.faults + 1 }
  if (model.isFatal(state.model, error) || isLost(watched, state, moment))
    return ended(state, error)
  const [next, effects] = schedule(watched, state, { retryAfterMs, tookMs }, moment)
  return [next, [...effects, ...emits(model.afterFault ?? [])]]
}

/** A peer has read it. That peer polls next, and this process only if it does not. */
function onPeerAnswer<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  { value, ageMs }: Extract<WatchEvent<O>, { type: 'peerAnswered' }>,
  moment: Moment,
): Stepped<M, E> {
  const { now } = moment
  // The peer may be unable to register what is missing.
  if (value === null && now >= state.registerAt) return [state, []]
  const observed: Stepped<M, E> =
    value === null ? [state, []] : observe(watched, state, value, { ...moment, by: 'peer', ageMs })
  if (state.phase === 'fetching') return observed
  return then(observed, (next) => {
    const polled = { ...next, faults: 0, polledAt: now - ageMs }
    return schedule(watched, polled, { peerAgeMs: ageMs }, moment)
  })
}

function onPeerFailure<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  { error, retryAfterMs, ageMs }: Extract<WatchEvent<O>, { type: 'peerFailed' }>,
  moment: Moment,
): Stepped<M, E> {
  // Only an own request can end the watch.
  const isOwnTurn = watched.model.isFatal(state.model, error) || isLost(watched, state, moment)
  if (state.phase === 'fetching' || isOwnTurn) return [state, []]
  const fault = { faults: state.faults + 1, retryAfterMs, peerAgeMs: ageMs }
  return schedule(watched, state, fault, moment)
}

function observe<M, O, E>(
  { model }: Watched<M, O, E>,
  state: WatchState<M>,
  value: O,
  seen: Seen,
): Stepped<M, E> {
  const observed = model.observe(state.model, value, seen)
  const next: WatchState<M> = {
    ...state,
    model: observed.model,
    isFound: true,
    foundAt: seen.by === 'query' ? state.foundAt : seen.now,
    // An upstream that forgets the target later is given it again at once.
    registerAt: state.isFound || state.registerAt === never ? state.registerAt : state.startedAt,
  }
  if (!observed.isEnd) return [next, emits(observed.events)]
  return [{ ...next, phase: 'ended' }, [...emits(observed.events), { type: 'end' }]]
}

const emits = <E>(events: readonly E[]): Effect<E>[] =>
  events.map((event) => ({ type: 'emit', event }))

const ended = <M, E>(state: WatchState<M>, error: unknown): Stepped<M, E> => [
  { ...state, phase: 'ended' },
  [{ type: 'end', error: { error } }],
]

/** Adds what follows, unless the watch has ended. */
function then<M, E>(
  [state, effects]: Stepped<M, E>,
  follow: (state: WatchState<M>) => Stepped<M, E>,
): Stepped<M, E> {
  if (state.phase === 'ended') return [state, effects]
  const [next, more] = follow(state)
  return [next, [...effects, ...more]]
}

const isLost = <M, O, E>({ rules }: Watched<M, O, E>, state: WatchState<M>, { now }: Moment) =>
  now - state.foundAt >= rules.maxUnavailableMs

/** Chooses when the next poll is. */
function schedule<M, O, E>(
  watched: Watched<M, O, E>,
  state: WatchState<M>,
  history: Partial<History>,
  moment: Moment,
): Stepped<M, E> {
  const { model, rules } = watched
  const { client, demand, faults } = state
  const rhythm = model.rhythm(state.model, state, moment)
  const delay = nextDelay({ faults, ...history, rhythm }, demand, moment.random)
  const maxAgeMs = Math.min(rules.freshMs, sharedPart * intervalOf(rhythm, demand))
  const owner = { client, isUrgent: rules.isUrgent }
  return waitFor(watched, { ...state, maxAgeMs, owner }, delay, moment.now)
}

/** Waits that long for the next poll, or until the watch has lasted too long. */
function waitFor<M, O, E>(
  { rules }: Watched<M, O, E>,
  state: WatchState<M>,
  delay: number,
  now: number,
): Stepped<M, E> {
  const left = state.startedAt + rules.deadlineMs - now
  if (left <= 0) return ended(state, rules.tooLong())
  const inMs = Math.min(delay, left)
  const dueAt = now + inMs
  if (state.demand === 0) return [{ ...state, phase: 'idle', dueAt }, []]
  return [{ ...state, phase: 'waiting', dueAt }, [{ type: 'timer', inMs }]]
}
