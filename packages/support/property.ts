const factor = Number(process.env.PROPERTY_RUNS_FACTOR ?? 1)

/**
 * How often a property is checked. Set the environment variable PROPERTY_RUNS_FACTOR to check every
 * property that many times as often.
 */
export const runs = (count: number): number => Math.ceil(count * factor)
