import { serviceLabel } from '../../engine/upstream/services.ts'
import type { Finding, ServiceReport } from './finding.ts'

const marks: Record<Finding['level'], string> = {
  works: 'works    ',
  limited: 'limited  ',
  fails: 'FAILS    ',
}

/** What a service is, as a heading: `Service of prices`. */
const titleOf = (service: string): string =>
  service === 'redis' ? 'Redis' : serviceLabel(service).replace(/^The (.)/, (_, first: string) => first.toUpperCase())

const order: readonly Finding['level'][] = ['fails', 'limited', 'works']

/**
 * A report as text: the verdict in one line, then of each service what fails, what is limited, and how much works.
 * With `isWhole`, what works is listed too.
 */
export function reportText(reports: readonly ServiceReport[], isWhole = false): string {
  const parts = reports.map(({ service, requests, findings }) => {
    const counts = new Map(order.map((level) => [level, findings.filter((one) => one.level === level)]))
    const shown = isWhole ? order : (['fails', 'limited'] as const)
    const lines = shown.flatMap((level) =>
      (counts.get(level) ?? []).flatMap(({ text, set }) => [
        `  ${marks[level]}${text}`,
        ...(set === undefined ? [] : [`           Set ${set}`]),
      ]),
    )
    const passed = counts.get('works')?.length ?? 0
    return [`${titleOf(service)}: ${passed} of ${findings.length} checks passed, ${requests} requests`, ...lines]
  })
  const rest = isWhole ? '' : '\n--all lists every check, and --json has them for programs.\n'
  return `${makeVerdict(reports)}\n\n${parts.map((lines) => `${lines.join('\n')}\n`).join('')}${rest}`
}

function makeVerdict(reports: readonly ServiceReport[]): string {
  const failing = reports.filter(({ findings }) => findings.some(({ level }) => level === 'fails'))
  if (failing.length === 0) return 'OK: the gateway can serve this network.'
  const names = failing.map(({ service }) => service).join(', ')
  return `FAILS: a part of the graph will not work, because of ${names}.`
}

/** Whether nothing fails. */
export const works = (reports: readonly ServiceReport[]): boolean =>
  reports.every(({ findings }) => findings.every(({ level }) => level !== 'fails'))
