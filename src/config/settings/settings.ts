import type { z } from 'zod'
import { type LimitName, type Limits, limitNames, limitOf } from '../limits/limits.ts'
import { clientSettings } from './clientSettings.ts'
import { networkSettings } from './networkSettings.ts'
import { serverSettings } from './serverSettings.ts'
import type { SettingEntry } from './setting.ts'

/**
 * All settings but the limits. Flags, variables, keys of the configuration file, `_FILE` variables, help
 * and messages are made from this table, so a new setting is one entry and its use.
 */
export const settings = { ...serverSettings, ...networkSettings, ...clientSettings }

/** One setting or limit, given as a flag, as an environment variable, or in the configuration file. */
export interface Setting extends SettingEntry {
  readonly env: string
  readonly flag: string
}

/** The name of a setting that is not a limit. */
export type SettingName = keyof typeof settings

/** The value of each setting. */
export type Settings = {
  readonly [Name in SettingName]: z.output<(typeof settings)[Name]['schema']>
} & { readonly limits: Limits }

/** The names of all settings that are not limits, in the order of the help. */
export const settingNames = Object.keys(settings) as SettingName[]

/** The name of a setting or limit. */
export type Named = SettingName | LimitName

/** The names of all settings and limits. */
export const allNames: readonly Named[] = [...settingNames, ...limitNames]

/** A setting as it was given: its text, and the flag, variable or file that gave it. */
export interface Given {
  readonly text: string
  readonly source: string
}

/** A setting or limit, whichever it is. Its flag and variable are its name: `maxDepth`, `--max-depth`, `MAX_DEPTH`. */
export function settingOf(name: Named): Setting {
  const flag = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const env = flag.replaceAll('-', '_').toUpperCase()
  return { env, flag, ...(isLimit(name) ? limitSetting(name) : settings[name]) }
}

const isLimit = (name: Named): name is LimitName => !(name in settings)

function limitSetting(name: LimitName): SettingEntry {
  const { unit, description, default: fallback } = limitOf(name)
  return { value: `<${unit}>`, help: description, fallback: String(fallback) }
}
