import type { Finding, ServiceReport } from './finding.ts'

const marks: Record<Finding['level'], string> = {
  works: 'works    ',
  limited: 'limited  ',
  fails: 'FAILS    ',
}

const titles = new Map([
  ['router', 'Router'],
  ['redis', 'Redis'],
])

const order: readonly Finding['level'][] = ['fails', 'limited', 'works']

/** A report as text: of each service what fails, then what is limited, then what works. */
export function reportText(reports: readonly ServiceReport[]): string {
  const parts = reports.map(({ service, requests, findings }) => {
    const title = titles.get(service) ?? `Indexer of ${service}`
    const lines = order.flatMap((level) =>
      findings
        .filter((finding) => finding.level === level)
        .flatMap(({ text, set }) => [
          `  ${marks[level]}${text}`,
          ...(set === undefined ? [] : [`           Set ${set}`]),
        ]),
    )
    return `${title} (${requests} requests)\n${lines.join('\n')}\n`
  })
  const summary = works(reports)
    ? 'The gateway can serve this network.'
    : 'A part of the graph will not work. See the lines that begin with FAILS.'
  return `${parts.join('\n')}\n${summary}\n`
}

/** Whether nothing fails. */
export const works = (reports: readonly ServiceReport[]): boolean =>
  reports.every(({ findings }) => findings.every(({ level }) => level !== 'fails'))
