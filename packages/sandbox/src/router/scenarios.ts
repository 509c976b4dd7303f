/** How a tracked transfer proceeds and ends. */
export interface Scenario {
  readonly name: ScenarioName
  readonly hops: number
  /** One line for users who choose a scenario. */
  readonly about: string
}

/** The names of all scenarios. */
export type ScenarioName =
  | 'success'
  | 'refunded'
  | 'stranded'
  | 'abandoned'
  | 'slow'
  | 'lateAcknowledgement'
  | 'twoTransfers'
  | 'unknownBridge'
  | 'unknownState'
  | 'bareCompleted'
  | 'bareFailed'
  | 'lateToTrack'
  | 'backwards'
  | 'rateLimited'
  | 'serverError'
  | 'plainText'
  | 'malformedJson'

/**
 * The last two hex digits of a hash that no sandbox chain has choose how its transfer goes:
 *
 * | digits | what happens                                                              |
 * |--------|---------------------------------------------------------------------------|
 * | 00-02  | succeeds in one, two, three hops                                          |
 * | e0     | fails on the first hop, refunded on the source chain                      |
 * | e1     | fails on the second hop, the funds stay on the chain between              |
 * | e2     | abandoned after 5 s; tracking once more revives it                        |
 * | e3     | submitted for 30 s, then two hops of 20 s                                 |
 * | e4     | succeeds, the last acknowledgement comes 5 s later                        |
 * | e5     | two transfers in one transaction                                          |
 * | e6     | a bridge no client knows                                                  |
 * | e7     | a state no client knows, then success                                     |
 * | e8, e9 | no `state`, only `status`, which ends at STATE_COMPLETED, at STATE_FAILED |
 * | ea     | the first two attempts to track find no transaction                       |
 * | eb     | goes back to submitted once, then succeeds                                |
 * | ec     | status answers 429 for 4 s, then succeeds                                 |
 * | ed     | status answers 500 for 4 s, then succeeds                                 |
 * | ee     | status answers plain text for 4 s, then succeeds                          |
 * | ef     | status answers broken JSON for 4 s, then succeeds                         |
 * | others | succeeds in one to three hops                                             |
 *
 * Before these, `dead` and two digits keep a transfer in one state of one bridge: `stuck` of its file in bridges has them.
 *
 * In a sandbox for people, a transfer that has ended, or that nobody watches, begins again when it is tracked.
 */
export const scenarios: Readonly<Record<string, Scenario>> = {
  '00': { name: 'success', hops: 1, about: 'succeeds in one hop' },
  '01': { name: 'success', hops: 2, about: 'succeeds in two hops' },
  '02': { name: 'success', hops: 3, about: 'succeeds in three hops over several bridges' },
  e0: { name: 'refunded', hops: 1, about: 'fails, refunded on the source chain' },
  e1: { name: 'stranded', hops: 2, about: 'fails half-way, released on the chain between' },
  e2: { name: 'abandoned', hops: 2, about: 'abandoned until tracked once more' },
  e3: { name: 'slow', hops: 2, about: 'submitted for 30 s, then two hops of 20 s' },
  e4: { name: 'lateAcknowledgement', hops: 1, about: 'succeeds before its acknowledgement' },
  e5: { name: 'twoTransfers', hops: 1, about: 'two transfers in one transaction' },
  e6: { name: 'unknownBridge', hops: 1, about: 'crosses a bridge no client knows' },
  e7: { name: 'unknownState', hops: 2, about: 'passes through a state no client knows' },
  e8: { name: 'bareCompleted', hops: 1, about: 'only a status, STATE_COMPLETED in the end' },
  e9: { name: 'bareFailed', hops: 1, about: 'only a status, STATE_FAILED in the end' },
  ea: { name: 'lateToTrack', hops: 1, about: 'not found by the first two attempts to track' },
  eb: { name: 'backwards', hops: 2, about: 'goes back to submitted once' },
  ec: { name: 'rateLimited', hops: 1, about: 'status is rate limited for 4 s' },
  ed: { name: 'serverError', hops: 1, about: 'status fails inside the router for 4 s' },
  ee: { name: 'plainText', hops: 1, about: 'status answers plain text for 4 s' },
  ef: { name: 'malformedJson', hops: 1, about: 'status answers broken JSON for 4 s' },
}

/** The scenario of a hash, in any case. */
export function scenarioOf(hash: string): Scenario {
  const digits = hash.slice(-2).toLowerCase()
  const hops = 1 + (Number.parseInt(digits, 16) % 3)
  return scenarios[digits] ?? { name: 'success', hops, about: `succeeds in ${hops} hops` }
}
