import { z } from 'zod'
import { type LimitName, limitOf } from '../../../engine/limits/limits.ts'
import { orText, wholeNumber } from '../../../engine/network/parsers.ts'

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

/** How a setting is read: the value of a configuration file, the text of a flag or variable, or undefined. */
export interface ParsedSetting extends SettingEntry {
  readonly schema: z.ZodType
}

export function withinLimit(name: LimitName) {
  const { min, max } = limitOf(name)
  return wholeNumber(min, max)
}

const readBoolean = (word: string) => (word === 'true' ? true : word === 'false' ? false : word)

export const boolean = (fallback: boolean) => orText(readBoolean, z.boolean('must be true or false').default(fallback))

/** True, false, or a word for more than true. The default is false. */
export const booleanOr = <Word extends string>(word: Word) =>
  orText(readBoolean, z.union([z.boolean(), z.literal(word)], `must be true, false or ${word}`).default(false))
