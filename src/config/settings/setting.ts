import { z } from 'zod'
import { type LimitName, limitOf } from '../limits/limits.ts'
import { wholeNumber } from '../parsers.ts'

/** A row of the table of settings. */
export interface SettingEntry {
  /** The name of its variable, where that is not the name of the setting in upper case. */
  readonly env?: string
  /** Placeholder for the value in the help. */
  readonly value: string
  readonly help: string
  /** The default, in the words of the help. The schema applies it. */
  readonly fallback?: string
  /** True if the value may hold secrets. Messages never repeat it. */
  readonly isSecret?: true
  /** True if the variable `<env>_FILE` may name a file with the value, as secrets are mounted. */
  readonly canBeFile?: true
}

/** How the text of a setting is parsed; it is undefined when the setting is not given. */
export interface ParsedSetting extends SettingEntry {
  readonly schema: z.ZodType<unknown, string | undefined>
}

/** Parses a number within the bounds of a limit. */
export function withinLimit(name: LimitName) {
  const { min, max } = limitOf(name)
  return wholeNumber(min, max)
}

/** Parses `true` and `false`. */
export const boolean = (fallback: boolean) =>
  z
    .enum(['true', 'false'], 'must be true or false')
    .default(fallback ? 'true' : 'false')
    .transform((text) => text === 'true')
