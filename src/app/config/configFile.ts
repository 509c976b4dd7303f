import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser'
import { z } from 'zod'
import { messageOf } from '#kit/errors'
import { isServiceName, serviceNames, urlNameOf } from '../../engine/upstream/services.ts'
import { goneSetting } from './goneSettings.ts'
import { didYouMean } from './nearNames.ts'
import { allNames, type GivenValue, type OptionName, settingOf, sourceRanks } from './settings/settings.ts'

const headers = z.record(z.string(), z.string())

const upstream = z.strictObject({
  url: z.string().optional(),
  vm: z.string().optional(),
  timeoutMs: z.number().optional(),
  maxRequests: z.number().optional(),
  headers: headers.optional(),
})

type Upstream = z.output<typeof upstream>

/** A file can give these for each upstream, below `upstreams`. */
const upstreamSettings: readonly OptionName[] = [
  'indexers',
  ...serviceNames.map(urlNameOf),
  'vmKinds',
  'upstreamHeaders',
  'upstreamTimeouts',
  'upstreamConcurrency',
]

const plainNames = allNames.filter((name) => name !== 'config')

const scalar = z.union([z.string(), z.number(), z.boolean()])

const plain = z.union([scalar, z.array(z.string()), z.record(z.string(), scalar)]).optional()

const file = z.strictObject({
  $schema: z.string().optional(),
  upstreams: z.record(z.string(), upstream).optional(),
  ...Object.fromEntries(plainNames.map((name) => [name, plain])),
  upstreamHeaders: z.union([z.string(), z.record(z.string(), headers)]).optional(),
})

/**
 * Reads a configuration file: JSON that may have comments. Its keys are the names of settings and limits,
 * and `upstreams` has what concerns one service. Adds a sentence to `problems` for each fault, and reads the rest; values
 * are not shown, since some are secrets.
 */
export function readConfigFile(
  path: string,
  readFile: (path: string) => string,
  problems: string[],
): ReadonlyMap<OptionName, GivenValue> {
  const given = new Map<OptionName, GivenValue>()
  const json = readJson(path, readFile, problems)
  if (json === undefined) return given
  const { issues = [] } = file.safeParse(json).error ?? {}
  problems.push(...issues.flatMap((issue) => describe(issue, path)))
  const { data } = file.safeParse(withoutFaults(json, issues))
  if (!data) return given
  const { $schema: _, upstreams = {}, ...settings } = data
  const add = (name: OptionName, key: string, value: unknown) => {
    if (value === undefined || value === '') return
    // A list or an object without values is a fault, as an empty variable is.
    const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0
    given.set(name, { value: isEmpty ? '' : value, source: `${path}: ${key}`, rank: sourceRanks.file })
  }
  for (const name of plainNames) add(name, name, (settings as Record<string, unknown>)[name])
  const values = settingsOf(upstreams)
  for (const name of upstreamSettings) {
    if (values[name] !== undefined && given.has(name)) {
      problems.push(`${path} has ${name}, and the same in upstreams. Set only one of them.`)
    }
    add(name, `upstreams (${settingOf(name).env})`, values[name])
  }
  return given
}

type Keyed = Record<PropertyKey, unknown>

/** The content of a file without the keys that are unknown, and without the values that are not valid. */
function withoutFaults(json: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const rest = structuredClone(json)
  for (const issue of issues) {
    const faulty = issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path]
    for (const path of faulty) {
      // The path of an issue leads there.
      const parent = path.slice(0, -1).reduce((value, key) => value[key] as Keyed, rest as Keyed)
      for (const key of path.slice(-1)) delete parent[key]
    }
  }
  return rest
}

function readJson(path: string, readFile: (path: string) => string, problems: string[]): unknown {
  let text: string
  try {
    text = readFile(path)
  } catch (error) {
    problems.push(`${path} could not be read: ${messageOf(error)}.`)
    return undefined
  }
  const errors: ParseError[] = []
  const json = parse(text.replace(/^\ufeff/, ''), errors, { allowTrailingComma: true })
  const [first] = errors
  if (!first) return json
  const line = text.slice(0, first.offset).split('\n').length
  problems.push(`${path} is not JSON: ${printParseErrorCode(first.error)} in line ${line}.`)
  return undefined
}

/** The settings of all upstreams, each by the names of the services that have it. */
function settingsOf(upstreams: Readonly<Record<string, Upstream>>): Partial<Record<OptionName, unknown>> {
  const by = (key: keyof Upstream, isWanted = (_service: string) => true) => {
    const entries = Object.entries(upstreams).flatMap(([service, { [key]: value }]) =>
      value === undefined || !isWanted(service) ? [] : [[service, value]],
    )
    return entries.length > 0 ? Object.fromEntries(entries) : undefined
  }
  return {
    indexers: by('url', (service) => !isServiceName(service)),
    ...Object.fromEntries(serviceNames.map((name) => [urlNameOf(name), upstreams[name]?.url])),
    vmKinds: by('vm'),
    upstreamTimeouts: by('timeoutMs'),
    upstreamConcurrency: by('maxRequests'),
    upstreamHeaders: by('headers'),
  }
}

function describe(issue: z.core.$ZodIssue, path: string): string[] {
  const place = issue.path.join('.')
  if (issue.code !== 'unrecognized_keys') {
    return [place ? `${path}: ${place} is not valid.` : `${path} must be an object.`]
  }
  const candidates = place ? Object.keys(upstream.shape) : Object.keys(file.shape)
  return issue.keys.map((key) => {
    const name = place ? `${place}.${key}` : key
    const gone = place ? undefined : goneSetting(key)
    if (gone !== undefined) return `${path}: ${gone}`
    return `${path} has the unknown key ${name}.${didYouMean(key, candidates)}`
  })
}
