/** Long work, with a `yield` at each place where it may pause. */
export type Steps<T> = Generator<undefined, T, undefined>

/** Does all steps at once. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
