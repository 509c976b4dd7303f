/**
 * Makes an error without a stack, such as a copy of another error. To record the stack takes most of
 * the time that an error costs, and an answer can have errors by the thousands.
 */
export function withoutStack<T extends Error>(make: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return make()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
