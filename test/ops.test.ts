import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { limitNames } from '../src/config/limits.ts'
import { settingNames, settingOf } from '../src/config/settings.ts'
import { startLoggedGateway } from './support/gatewayLog.ts'
import { readMetrics } from './support/metricText.ts'
import type { Json } from './support/testServer.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const yaml = (path: string): Json => parse(read(path))

const variables = new Set(
  [...settingNames, ...limitNames].flatMap((name) => {
    const { env, canBeFile } = settingOf(name)
    return canBeFile ? [env, `${env}_FILE`] : [env]
  }),
)

const compose = yaml('ops/compose.yaml')
const manifests: Json[] = parseAllDocuments(read('ops/kubernetes/portolan.yaml')).map((document) =>
  document.toJS(),
)
const manifest = (kind: string): Json => manifests.find((document) => document.kind === kind)
const pod = manifest('Deployment').spec.template
const [container] = pod.spec.containers
const alerts: Json[] = yaml('ops/prometheus/alerts.yml').groups.flatMap(({ rules }: Json) => rules)
const panels: Json[] = JSON.parse(read('ops/grafana/dashboard.json')).panels

test('every YAML file in ops is valid', () => {
  const files = readdirSync(join(root, 'ops'), { recursive: true, encoding: 'utf8' })
  const paths = files.filter((file) => /\.ya?ml$/.test(file))
  expect(paths.length).toBeGreaterThanOrEqual(6)
  for (const path of paths) {
    for (const { errors } of parseAllDocuments(read(join('ops', path)))) {
      expect([path, errors]).toEqual([path, []])
    }
  }
})

test('every variable that is set is a setting', () => {
  const names = [
    ...Object.keys(compose.services.gateway.environment),
    ...Object.keys(manifest('ConfigMap').data),
  ]
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !variables.has(name))).toEqual([])
})

test('ports are the same wherever they are named', () => {
  const port = /EXPOSE (\d+)/.exec(read('Dockerfile'))?.[1]
  const [scrape] = yaml('ops/prometheus/prometheus.yml').scrape_configs
  const { METRICS_PORT: metricsPort } = manifest('ConfigMap').data
  expect(read('Dockerfile')).toContain(`PORT=${port}`)
  expect(compose.services.gateway.ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(scrape.static_configs[0].targets).toEqual([
    `gateway:${compose.services.gateway.environment.METRICS_PORT}`,
  ])
  expect(container.ports).toEqual([
    { name: 'http', containerPort: Number(port) },
    { name: 'metrics', containerPort: Number(metricsPort) },
  ])
  expect(pod.metadata.annotations['prometheus.io/port']).toBe(metricsPort)
  for (const proxy of ['nginx-upstream.conf', 'Caddyfile']) {
    expect(read(`ops/proxies/${proxy}`)).toContain(`127.0.0.1:${port}`)
  }
})

test('probes ask paths that the gateway has, and the pod lives longer than a shutdown takes', async () => {
  await using world = await startLoggedGateway((_request, response) => {
    response.end('{"version":"","commit_hash":"","chain_id":"a-1","height":7}')
  })
  const { startupProbe, livenessProbe, readinessProbe } = container
  const paths = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet.path)
  expect(paths).toEqual(['/health', '/health', '/ready'])
  for (const path of [...paths, '/metrics']) {
    expect([path, (await fetch(new URL(path, world.gateway.url))).status]).toEqual([path, 200])
  }
  const delay = Number(manifest('ConfigMap').data.SHUTDOWN_DELAY_MS) / 1000
  expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(delay + 8)
})

test('services and budgets select the pods', () => {
  const { labels } = pod.metadata
  expect(manifest('Service').spec.selector).toEqual(labels)
  expect(manifest('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
  expect(manifest('Deployment').spec.selector.matchLabels).toEqual(labels)
})

/** Metrics that an expression of PromQL reads. Texts in quotes and labels of groups are no metrics. */
const metricsIn = (expression: string): string[] => [
  ...new Set(
    expression
      .replace(/"[^"]*"/g, '')
      .match(/\b(?:portolan|nodejs|process)_\w+/g)
      ?.values() ?? [],
  ),
]

test('alerts and the dashboard read only metrics that exist, and the documents name all of ours', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'))
  const { families } = await readMetrics(world.gateway.metricsUrl)
  const exists = (metric: string) =>
    families.has(metric) ||
    (/_(bucket|sum|count)$/.test(metric) &&
      families.get(metric.replace(/_(bucket|sum|count)$/, '')) === 'histogram')
  const expressions: string[] = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }: Json) => expr)),
  ]
  for (const expression of expressions) {
    const metrics = metricsIn(expression)
    if (expression !== 'up{job="portolan"} == 0') expect(metrics).not.toEqual([])
    expect([expression, metrics.filter((metric) => !exists(metric))]).toEqual([expression, []])
  }
  expect(exists('portolan_nothing')).toBe(false)
  const documents = read('docs/operating.md')
  const own = [...families.keys()].filter((name) => name.startsWith('portolan_'))
  expect(own.filter((name) => !documents.includes(`\`${name}\``))).toEqual([])
})

test('every alert has a summary, and a job that is scraped', () => {
  const [{ job_name: job }] = yaml('ops/prometheus/prometheus.yml').scrape_configs
  expect(alerts.length).toBeGreaterThan(5)
  for (const { alert, annotations, expr } of alerts) {
    expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/^\S.*\.$/)])
    if (expr.startsWith('up')) expect(expr).toContain(`job="${job}"`)
  }
})

test('the proxies do not buffer events, and keep probes and metrics private', () => {
  const nginx = read('ops/proxies/nginx.conf')
  expect(nginx).toMatch(/proxy_buffering off;/)
  expect(nginx).toMatch(/proxy_set_header Upgrade \$http_upgrade;/)
  expect(nginx).toMatch(/proxy_set_header X-Forwarded-For \$remote_addr;/)
  expect(nginx).toMatch(/location \/ \{ return 404; \}/)
  expect(nginx.match(/\{/g)?.length).toBe(nginx.match(/\}/g)?.length)
  const caddy = read('ops/proxies/Caddyfile')
  expect(caddy).toMatch(/flush_interval -1/)
  expect(caddy).toMatch(/respond 404/)
  expect(caddy.match(/\{/g)?.length).toBe(caddy.match(/\}/g)?.length)
})

test('the image runs as a user without rights, and starts without a fallback', () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toMatch(/^USER 1000:1000$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  expect(dockerfile).not.toMatch(/sandbox/)
  expect(Number(container.securityContext.readOnlyRootFilesystem)).toBe(1)
})

test('every runtime dependency is in the table, with what it is for', () => {
  const manifest = JSON.parse(read('package.json'))
  const rows = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)]
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })
  expect(rows.map(([, name]) => name).sort()).toEqual(names.sort())
})

test('npm run sbom lists the runtime dependencies', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })
  const { bomFormat, components } = JSON.parse(text)
  const names = components.map(({ group, name }: Json) => (group ? `${group}/${name}` : name))
  expect(bomFormat).toBe('CycloneDX')
  expect(names).toEqual(expect.arrayContaining(['graphql', 'undici', 'zod']))
})
