import { closestMatch } from 'leven'
import { serviceNames, urlNameOf } from '../../engine/upstream/services.ts'
import { goneSetting } from './goneSettings.ts'
import { allNames, settingOf } from './settings/settings.ts'

/** Most letters that a misspelt name may have wrong, and most of them in a short variable. */
const [maxDistance, maxDistanceOfShort] = [2, 1]

/** Variables shorter than this are not compared: names such as POST and PORTS belong to other programs. */
const shortestCompared = 6

/** Variables shorter than this are short. */
const shortestLong = 10

/** A question that names the closest of the candidates, with a space before it. Empty if none is close. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const nearest = closestMatch(name, candidates, { maxDistance })
  return nearest === undefined ? '' : ` Did you mean ${nearest}?`
}

const variables = allNames.flatMap((name) => variablesOf(settingOf(name)))

function variablesOf({ env, canBeFile }: ReturnType<typeof settingOf>): string[] {
  return canBeFile ? [env, `${env}_FILE`] : [env]
}

/** Variables that the program reads beside its settings. */
const ownVariables = ['PORTOLAN_API_KEY']

const known = new Set([...variables, ...ownVariables])
const compared = variables.filter((name) => name.length >= shortestCompared)

/** Names that people write for a setting, and that share too few letters with it to be found otherwise. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ...serviceNames.map((name) => [name.toUpperCase(), settingOf(urlNameOf(name)).env] as const),
  ['ORIGINS', settingOf('allowedOrigins').env],
  ['CHAINS', settingOf('indexers').env],
])

/** Names that platforms and other programs give to values of theirs, and that are close to a setting, or were one, by chance. */
const namesOfOthers = new Set(['LOGLEVEL', 'METRICS_HOST', 'REDIS_URI', 'LOG_FORMAT'])

/** A sentence for each variable that is close to a setting. */
export interface NearVariables {
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
}

/**
 * Finds the variables whose name is close to the name of a setting, or that of a setting which is gone. Each is a problem, or a
 * warning if such a name is usual elsewhere. Most variables belong to other programs, so nothing is said about a name that is not
 * close. Values are not shown.
 *
 * A name of six letters or more is close to a setting if it differs by one letter, by two in a setting of ten letters or
 * more, by two neighbours that are swapped, or only in case; if its first or last word is missing, and two are left; if
 * `PORTOLAN_` stands before the setting, or before a name that is close to one; and if it is one of some other names.
 */
export function nearVariables(env: Readonly<Record<string, string | undefined>>): NearVariables {
  const [problems, warnings]: [string[], string[]] = [[], []]
  for (const [name, value = ''] of Object.entries(env)) {
    if (known.has(name) || isServiceAddress(value)) continue
    const gone = goneSetting(name)
    const meant = gone === undefined ? meantBy(name.toUpperCase()) : []
    if (gone === undefined && meant.length === 0) continue
    const text = gone ?? `${name} is not a setting. Did you mean ${meant.join(' or ')}?`
    if (namesOfOthers.has(name)) warnings.push(text)
    else problems.push(`${text} ${otherProgram}`)
  }
  return { problems, warnings }
}

const otherProgram = 'If it is for another program, unset it for this one.'

/** Kubernetes and links of Docker set such a variable for each service: PORTOLAN_PORT, and METRIC_PORT for `metric`. */
const isServiceAddress = (value: string): boolean => /^(tcp|udp|sctp):\/\//.test(value)

function meantBy(name: string): string[] {
  const rest = name.replace(/^PORTOLAN_/, '')
  if (rest !== name && known.has(rest)) return [rest]
  const usual = otherNames.get(rest) ?? closest(rest) ?? closest(name)
  return usual === undefined ? compared.filter((variable) => isShortened(rest, variable)) : [usual]
}

/** The setting that a variable is a slip of. */
function closest(name: string): string | undefined {
  if (name.length < shortestCompared) return undefined
  const nearest = closestMatch(name, compared, { maxDistance })
  const isLong = nearest !== undefined && nearest.length >= shortestLong
  if (isLong || closestMatch(name, compared, { maxDistance: maxDistanceOfShort }) !== undefined) return nearest
  return compared.find((variable) => areSwapped(name, variable))
}

/** Whether names differ only in the order of two neighbouring letters. */
function areSwapped(name: string, variable: string): boolean {
  const at = [...name].findIndex((letter, index) => letter !== variable[index])
  return `${name.slice(0, at)}${name.charAt(at + 1)}${name.charAt(at)}${name.slice(at + 2)}` === variable
}

/** Whether a name is that of a variable without its first or last word, and two are left. */
function isShortened(name: string, variable: string): boolean {
  const words = variable.split('_')
  return words.length > 2 && [words.slice(1), words.slice(0, -1)].some((part) => part.join('_') === name)
}
