import { z } from 'zod'
import { messageOf } from '#kit/errors'
import { limitOf, limitProblems, mapLimits } from '../../engine/limits/limits.ts'
import { pairsOfServices } from '../../engine/network/parsers.ts'
import { readConfigFile } from './configFile.ts'
import {
  allNames,
  type GivenValue,
  type OptionName,
  type SettingName,
  type Settings,
  settingNames,
  settingOf,
  settings,
  sourceRanks,
} from './settings/settings.ts'

/** The variables of the environment. */
export type Env = Readonly<Record<string, string | undefined>>

/** Where settings come from. */
export interface Sources {
  /** The values of the flags by their names, without the dashes. */
  readonly flags: ReadonlyMap<string, string | undefined>
  readonly env: Env
  /** Reads a text file. Throws if it cannot. */
  readonly readFile: (path: string) => string
  /** Receives a sentence for each fault. */
  readonly problems: string[]
}

/**
 * Reads all settings. A flag takes precedence over a variable, a variable over the configuration file, and
 * the file over the default. The more important source replaces the whole value of a setting. `given` has the settings that
 * were given at all, even with a fault. A file that is not understood may have been meant to name any of them.
 */
export function readSettings(sources: Sources) {
  const { problems } = sources
  const { given, isFileUnderstood } = givenValues(sources)
  const parse = (name: SettingName): unknown => {
    const own = given.get(name)
    // The problem of an empty value is known already.
    if (own?.value === '') return undefined
    const result = settings[name].schema.safeParse(own?.value)
    for (const { message } of result.error?.issues ?? []) {
      // Other sentences quote what is at fault.
      const isShown = own && !settingOf(name).isSecret && /\bmust\b/.test(message)
      const shown = isShown ? `, not '${shownValue(own)}'` : ''
      problems.push(`${own?.source} ${message}${shown}.`)
    }
    // The problem of a faulty setting ends the program before it is used. Only its keys are compared with what is served.
    return result.success || !keyedByService.has(name) ? result.data : keys.safeParse(own?.value).data
  }
  const limits = mapLimits((name) => {
    const { value = '' } = given.get(name) ?? {}
    return value === '' ? limitOf(name).default : Number(String(value))
  })
  problems.push(...limitProblems(limits, (name) => given.get(name)?.source ?? settingOf(name).env))
  const values = Object.fromEntries(settingNames.map((name) => [name, parse(name)]))
  return {
    // Object.fromEntries loses the names and types.
    settings: { ...values, limits } as Settings,
    given,
    isFileUnderstood,
  }
}

/** Settings that have a value for each service. */
const keyedByService: ReadonlySet<SettingName> = new Set<SettingName>([
  'vmKinds',
  'opinitFinalizationSeconds',
  'upstreamTimeouts',
  'upstreamConcurrency',
])

const keys = pairsOfServices(z.unknown())

/** The start of a value, for messages. */
const shownValue = ({ value }: GivenValue): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 80)

/** The value of each setting that is given, with the source that takes precedence, and whether the file has no fault. */
function givenValues(sources: Sources) {
  const { readFile, problems } = sources
  const path = givenDirectly('config', sources)?.value
  const faults = problems.length
  const inFile = path ? readConfigFile(String(path), readFile, problems) : new Map<OptionName, GivenValue>()
  const isFileUnderstood = problems.length === faults
  const given = new Map<OptionName, GivenValue>()
  for (const name of allNames) {
    const value = givenDirectly(name, sources) ?? inFile.get(name)
    if (value) given.set(name, value)
    if (value?.value === '') problems.push(`${value.source} is empty. Set a value, or remove it.`)
  }
  return { given, isFileUnderstood }
}

/** The text of a flag or variable, empty if the variable is. */
function givenDirectly(name: OptionName, { flags, env, readFile, problems }: Sources): GivenValue | undefined {
  const { flag, env: variable, canBeFile } = settingOf(name)
  const text = flags.get(flag)
  if (text !== undefined) return { value: text, source: `--${flag}`, rank: sourceRanks.flag }
  const rank = sourceRanks.variable
  const value = env[variable]?.trim()
  const path = canBeFile ? env[`${variable}_FILE`]?.trim() : undefined
  if (value !== undefined && path !== undefined) {
    problems.push(`${variable} and ${variable}_FILE are both set. Set only one of them.`)
  }
  if (value !== undefined) return { value, source: variable, rank }
  if (path === undefined) return undefined
  const source = `${variable}_FILE`
  if (path === '') return { value: '', source, rank }
  try {
    return { value: readFile(path).trim(), source, rank }
  } catch (error) {
    problems.push(`${source} could not be read: ${messageOf(error)}.`)
    return undefined
  }
}
