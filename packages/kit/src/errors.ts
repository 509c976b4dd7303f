/** What an error says. Anything can be thrown, not only errors. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An error for what was thrown, which can be anything. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
