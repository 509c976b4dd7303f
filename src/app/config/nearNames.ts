import { closestMatch } from 'leven'
import { allNames, settingOf } from './settings/settings.ts'

/** Most letters that a misspelt name may have wrong. */
const maxDistance = 2

/** Variables shorter than this are not compared: names such as POST and PORTS belong to other programs. */
const shortestCompared = 6

/** A question that names the closest of the candidates, with a space before it. Empty if none is close. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = closestMatch(name, candidates, { maxDistance })
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

const variables = allNames.flatMap((name) => variablesOf(settingOf(name)))

function variablesOf({ env, canBeFile }: ReturnType<typeof settingOf>): string[] {
  return canBeFile ? [env, `${env}_FILE`] : [env]
}

const known = new Set(variables)
const compared = variables.filter((name) => name.length >= shortestCompared)

/** Names that people write for a setting, and that share too few letters with it to be found otherwise. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['ROUTER', settingOf('routerUrl').env],
  ['ORIGINS', settingOf('allowedOrigins').env],
  ['CHAINS', settingOf('indexers').env],
])

/**
 * A sentence for each variable whose name is close to the name of a setting, but is not one. Most variables
 * belong to other programs, so nothing is said about a name that is not close. Values are not shown.
 */
export function nearVariables(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    if (known.has(name)) return []
    const meant = otherNames.get(name) ?? withoutPrefix(name) ?? closest(name)
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`]
  })
}

/** The setting in `PORTOLAN_<setting>`. Kubernetes sets PORTOLAN_PORT itself, for a service of that name. */
function withoutPrefix(name: string): string | undefined {
  const rest = name.startsWith('PORTOLAN_') ? name.slice('PORTOLAN_'.length) : ''
  return known.has(rest) && rest !== settingOf('port').env ? rest : undefined
}

function closest(name: string): string | undefined {
  if (name.length < shortestCompared) return undefined
  return closestMatch(name, compared, { maxDistance })
}
