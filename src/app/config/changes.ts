import { isDeepStrictEqual } from 'node:util'
import { limitNames } from '../../engine/limits/limits.ts'
import { serviceNames, urlNameOf } from '../../engine/upstream/services.ts'
import type { Chains } from './chains.ts'
import type { ServiceCommand } from './commandLine.ts'
import { type OptionName, type SettingName, type Settings, settingNames, settingOf } from './settings/settings.ts'

/** A command with its settings, and the contents of the files and URLs that these name. */
export interface Configuration {
  readonly command: ServiceCommand
  readonly chains: Chains
  readonly trustedDocuments: ReadonlyMap<string, string> | undefined
}

/** The settings that take effect when they are read again. All others need a restart. */
const changeable: ReadonlySet<SettingName> = new Set<SettingName>([
  'indexers',
  'chainRegistry',
  'defaultChain',
  'vmKinds',
  'opinitFinalizationSeconds',
  ...serviceNames.map(urlNameOf),
  'upstreamHeaders',
  'upstreamTimeouts',
  'upstreamConcurrency',
  'apiKeys',
  'requireApiKey',
  'rateLimit',
  'trustedDocuments',
])

/**
 * The names of changed settings, never their values: those that take effect, by themselves or by what they name, and those that
 * need a restart, since they are not as the gateway was started.
 */
export function changesOf(before: Configuration, now: Configuration, started: Settings) {
  const { settings } = now.command
  const differ = (name: SettingName, other: Settings) => !isDeepStrictEqual(settings[name], other[name])
  const changed = settingNames.filter((name) => changeable.has(name) && differ(name, before.command.settings))
  const areOthers = !changed.some((name) => name === 'indexers' || name === 'chainRegistry')
  const named: readonly SettingName[] = [
    ...(areOthers && !isDeepStrictEqual(now.chains, before.chains) ? (['chainRegistry'] as const) : []),
    ...(isDeepStrictEqual(now.trustedDocuments, before.trustedDocuments) ? [] : (['trustedDocuments'] as const)),
  ]
  const late: readonly OptionName[] = [
    ...settingNames.filter((name) => !changeable.has(name) && differ(name, started)),
    ...limitNames.filter((name) => settings.limits[name] !== started.limits[name]),
  ]
  const inWords = (names: readonly OptionName[]) => [...new Set(names)].map((name) => settingOf(name).env)
  return { changed: inWords([...changed, ...named]), late: inWords(late) }
}
