import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readCommand } from '../src/app/config/commandLine.ts'
import { allNames, settingOf } from '../src/app/config/settings/settings.ts'
import { resolveLimits } from '../src/engine/limits/limits.ts'
import { refusingLimits } from '../src/engine/upstream/error.ts'
import { startLoggedGateway } from './support/gatewayLog.ts'
import type { Json } from './support/http.ts'
import { isInstalled } from './support/installed.ts'
import { readMetrics } from './support/metricText.ts'
import { freePort } from './support/proxy.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const yaml = (path: string): Json => parse(read(path))

const variables = new Set(
  allNames.flatMap((name) => {
    const { env, canBeFile } = settingOf(name)
    return canBeFile ? [env, `${env}_FILE`] : [env]
  }),
)

/** YAML with merge keys (`<<`), as Docker Compose reads it. */
const composeFile = (path: string): Json => parse(read(path), { merge: true })
const compose = composeFile('ops/compose.yaml')
const fleet = composeFile('ops/fleet/compose.yaml')
const documents = (path: string): Json[] => parseAllDocuments(read(path)).map((document) => document.toJS())
const find = (list: Json[], kind: string, name: string): Json =>
  list.find((one) => one.kind === kind && one.metadata.name === name)
const manifests = documents('ops/kubernetes/portolan.yaml')
const manifest = (kind: string): Json => find(manifests, kind, 'portolan')
const fleetManifests = documents('ops/kubernetes/fleet.yaml')
const fleetManifest = (kind: string, name: string): Json => find(fleetManifests, kind, name)
const pod = manifest('Deployment').spec.template
const [container] = pod.spec.containers
const alerts: Json[] = yaml('ops/prometheus/alerts.yml').groups.flatMap(({ rules }: Json) => rules)
const dashboard: Json = JSON.parse(read('ops/grafana/dashboard.json'))
const panels: Json[] = dashboard.panels

test('every YAML file in ops is valid', () => {
  const files = readdirSync(join(root, 'ops'), { recursive: true, encoding: 'utf8' })
  // Templates of Helm are YAML only once they are filled in.
  const paths = files.filter((file) => /\.ya?ml$/.test(file) && !file.includes('templates'))
  expect(paths.length).toBeGreaterThanOrEqual(6)
  for (const path of paths) {
    for (const { errors } of parseAllDocuments(read(join('ops', path)))) {
      expect([path, errors]).toEqual([path, []])
    }
  }
})

test('every variable set in ops is a setting', () => {
  const names = [
    ...Object.keys(compose.services.gateway.environment),
    ...Object.keys(manifest('ConfigMap').data),
    ...Object.keys(fleet.services['gateway-1'].environment),
    ...Object.keys(fleetManifest('ConfigMap', 'portolan-fleet').data),
  ]
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !variables.has(name))).toEqual([])
})

test('ports are the same in all files of ops', () => {
  const port = /EXPOSE (\d+)/.exec(read('Dockerfile'))?.[1]
  const [scrape] = yaml('ops/prometheus/prometheus.yml').scrape_configs
  const { METRICS_PORT: metricsPort } = manifest('ConfigMap').data
  expect(read('Dockerfile')).toContain(`PORT=${port}`)
  expect(compose.services.gateway.ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(scrape.static_configs[0].targets).toEqual([`gateway:${compose.services.gateway.environment.METRICS_PORT}`])
  expect(container.ports).toEqual([
    { name: 'http', containerPort: Number(port) },
    { name: 'metrics', containerPort: Number(metricsPort) },
  ])
  expect(pod.metadata.annotations['prometheus.io/port']).toBe(metricsPort)
  for (const proxy of ['nginx-upstream.conf', 'Caddyfile']) {
    expect(read(`ops/proxies/${proxy}`)).toContain(`127.0.0.1:${port}`)
  }
})

test('probes request existing paths, and the grace period covers a shutdown', async () => {
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

test('services and disruption budgets select the pods', () => {
  const { labels } = pod.metadata
  expect(manifest('Service').spec.selector).toEqual(labels)
  expect(manifest('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
  expect(manifest('Deployment').spec.selector.matchLabels).toEqual(labels)
})

/** The pages for whoever has a problem now. */
const operatorPages = ['runbook', 'troubleshooting', 'upgrades'].map((name) => `docs/operating/${name}.md`)

/** Metrics that an expression of PromQL reads. Texts in quotes and labels of groups are no metrics. */
const metricsIn = (expression: string): string[] => [
  ...new Set(
    expression
      .replace(/"[^"]*"/g, '')
      .match(/\b(?:portolan|nodejs|process)_\w+/g)
      ?.values() ?? [],
  ),
]

test('the fleet has two gateways with equal settings, at the addresses in nginx', () => {
  const { 'gateway-1': one, 'gateway-2': two, nginx, redis } = fleet.services
  const addressOf = (service: Json): string => service.networks.fleet.ipv4_address
  expect({ ...two, networks: null }).toEqual({ ...one, networks: null })
  const named = [...read('ops/fleet/nginx-upstream.conf').matchAll(/server ([\d.]+):(\d+) /g)]
  const port = /EXPOSE (\d+)/.exec(read('Dockerfile'))?.[1]
  expect(named.map(([, address, number]) => [address, number])).toEqual([
    [addressOf(one), port],
    [addressOf(two), port],
  ])
  expect(one.environment.TRUSTED_PROXIES).toBe(addressOf(nginx))
  expect(one.environment.REDIS_URL).toBe('redis://redis:6379')
  const delay = Number(one.environment.SHUTDOWN_DELAY_MS) / 1000
  expect(Number.parseInt(one.stop_grace_period, 10)).toBeGreaterThan(delay + 8)
  const [scrape] = yaml('ops/fleet/prometheus.yml').scrape_configs
  const metricsPort = one.environment.METRICS_PORT
  expect(scrape.job_name).toBe(yaml('ops/prometheus/prometheus.yml').scrape_configs[0].job_name)
  expect(scrape.static_configs[0].targets).toEqual([`gateway-1:${metricsPort}`, `gateway-2:${metricsPort}`])
  // Relative paths start at the folder of the file.
  const mounted = [...nginx.volumes, ...redis.volumes, ...fleet.services.prometheus.volumes]
  const files = mounted.map((volume: string) => join('ops/fleet', volume.split(':')[0] ?? ''))
  const made = ['ops/fleet/graph.example.pem', 'ops/fleet/graph.example.key']
  expect(files.filter((file) => !made.includes(file) && !existsSync(join(root, file)))).toEqual([])
})

test('the fleet manifests fit the manifests of the gateway', () => {
  const [autoscaler, budget] = [fleetManifest('HorizontalPodAutoscaler', 'portolan'), manifest('PodDisruptionBudget')]
  const deployment = manifest('Deployment')
  expect(autoscaler.spec.scaleTargetRef).toEqual({
    apiVersion: deployment.apiVersion,
    kind: 'Deployment',
    name: deployment.metadata.name,
  })
  expect(autoscaler.spec.minReplicas).toBe(deployment.spec.replicas)
  expect(budget.spec.maxUnavailable).toBeLessThan(autoscaler.spec.minReplicas)
  const sockets = autoscaler.spec.metrics.find((metric: Json) => metric.type === 'Pods').pods
  expect(Number(sockets.target.averageValue)).toBeLessThanOrEqual(resolveLimits().maxConnections / 2)
  const [rule] = yaml('ops/kubernetes/prometheus-adapter.yaml').rules.custom
  expect(rule.name.as).toBe(sockets.metric.name)
  const maps = container.envFrom.map(({ configMapRef }: Json) => configMapRef.name)
  expect(maps).toContain(fleetManifest('ConfigMap', 'portolan-fleet').metadata.name)

  const redis = fleetManifest('Deployment', 'portolan-redis')
  const service = fleetManifest('Service', 'portolan-redis')
  const { REDIS_URL: url } = fleetManifest('ConfigMap', 'portolan-fleet').data
  expect(url).toBe(`redis://${service.metadata.name}:${service.spec.ports[0].port}`)
  const { labels } = redis.spec.template.metadata
  expect(service.spec.selector).toEqual(labels)
  expect(redis.spec.selector.matchLabels).toEqual(labels)
  const policy = fleetManifest('NetworkPolicy', 'portolan-redis').spec
  expect(policy.podSelector.matchLabels).toEqual(labels)
  expect(policy.ingress[0].from[0].podSelector.matchLabels).toEqual(pod.metadata.labels)
})

/** The directives of a configuration of Redis. */
const directives = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('Redis has the same settings in Compose and Kubernetes, and spare memory', () => {
  const lines = directives(read('ops/fleet/redis.conf'))
  expect(directives(fleetManifest('ConfigMap', 'portolan-redis').data['redis.conf'])).toEqual(lines)
  const kept = Number(/maxmemory (\d+)mb/.exec(lines.join('\n'))?.[1])
  const { limits } = fleetManifest('Deployment', 'portolan-redis').spec.template.spec.containers[0].resources
  expect([limits.memory, fleet.services.redis.mem_limit]).toEqual([`${2 * kept}Mi`, `${2 * kept}m`])
})

const redisIt = test.skipIf(!isInstalled('redis-server'))

redisIt('redis-server starts with the configuration', async () => {
  const port = await freePort()
  const args = [join(root, 'ops/fleet/redis.conf'), '--port', String(port), '--bind', '127.0.0.1']
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(server, 'exit')
  let said = ''
  for await (const line of createInterface(server.stdout)) {
    said += `${line}\n`
    if (said.includes('Ready to accept connections')) server.kill('SIGTERM')
  }
  expect([said, (await exited)[0]]).toEqual([expect.stringContaining('Ready to accept'), 0])
})

test('alerts and the dashboard use existing metrics, and docs list all metrics', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'), {
    // Nothing listens there: the metrics of a fleet exist all the same.
    redis: { url: 'redis://127.0.0.1:1' },
  })
  const { families } = await readMetrics(world.gateway.metricsUrl)
  const exists = (metric: string) =>
    families.has(metric) ||
    (/_(bucket|sum|count)$/.test(metric) && families.get(metric.replace(/_(bucket|sum|count)$/, '')) === 'histogram')
  const expressions: string[] = [
    ...alerts.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }: Json) => expr)),
  ]
  for (const expression of expressions) {
    const metrics = metricsIn(expression)
    if (expression !== 'up{job="portolan"} == 0') expect(metrics).not.toEqual([])
    expect([expression, metrics.filter((metric) => !exists(metric))]).toEqual([expression, []])
  }
  expect(exists('portolan_nothing')).toBe(false)
  for (const page of operatorPages) {
    const named = metricsIn(read(page))
    expect([page, named.filter((metric) => !exists(metric))]).toEqual([page, []])
  }
  const documents = read('docs/operating/metrics.md')
  const own = [...families.keys()].filter((name) => name.startsWith('portolan_'))
  const named = [...own, ...refusingLimits]
  expect(named.filter((name) => !documents.includes(`\`${name}\``))).toEqual([])
})

test('each dashboard panel uses the chosen instances and data source', () => {
  expect(dashboard.templating.list.map(({ name }: Json) => name)).toEqual(['datasource', 'instance'])
  for (const { title, datasource, targets = [] } of panels) {
    if (targets.length > 0) expect(datasource.uid).toMatch(/^\$\{datasource\}$/)
    for (const { expr } of targets) {
      const chosen = expr.match(/\{instance=~"\$instance"/g)?.length ?? 0
      expect([title, chosen]).toEqual([title, expr.match(/\b(portolan|process|nodejs)_/g).length])
    }
  }
})

test('every alert has a summary and a scraped job', () => {
  const [{ job_name: job }] = yaml('ops/prometheus/prometheus.yml').scrape_configs
  expect(alerts.length).toBeGreaterThan(5)
  for (const { alert, annotations, expr } of alerts) {
    expect([alert, annotations.summary]).toEqual([alert, expect.stringMatching(/^\S.*\.$/)])
    if (expr.startsWith('up')) expect(expr).toContain(`job="${job}"`)
  }
})

test('every alert has an entry in the runbook, and every entry an alert', () => {
  const entries = read('docs/operating/runbook.md').split(/^## /m).slice(1)
  const titles = entries.map((entry) => entry.split('\n', 1)[0])
  expect(titles).toEqual(alerts.map(({ alert }) => alert))
  for (const { alert, annotations } of alerts) {
    const path = `/docs/operating/runbook#${alert.toLowerCase()}`
    expect([alert, annotations.runbook_url]).toEqual([alert, path])
  }
  for (const entry of entries) {
    expect(entry).toMatch(/\*\*Meaning\.\*\*.+\*\*Look at\*\*\n\n- .+\*\*Do\*\*\n\n- /s)
  }
})

/** Names in capitals between backticks that are codes, reasons and notices of the graph, or of others. */
const codesOnPages = new Set([
  ...[...read('docs/errors.md').matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code),
  ...['LATE', 'OOM', 'ECONNREFUSED'],
])

test.each(operatorPages)('%s names existing settings and quotes existing log lines', (page) => {
  const quoted = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text)
  const capitals = quoted.flatMap((text) => /^([A-Z][A-Z_]+)(?:=.+)?$/.exec(text)?.[1] ?? [])
  expect(capitals.length).toBeGreaterThan(5)
  expect(capitals.filter((name) => !variables.has(name) && !codesOnPages.has(name))).toEqual([])
  const lines = quoted.filter((text) => /^(?:[A-Z]?[a-z]+:?)(?: [\w,:]+)+\.?$/.test(text))
  const programs = /^(?:portolan|kubectl|openssl|redis|npm|port \d)/
  const said = lines.filter((line) => !programs.test(line))
  expect(said.filter((line) => !sources.includes(line))).toEqual([])
})

/** All programs of the gateway, as one text. */
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => read(join('src', file)))
  .join('\n')

test('the six settings to set first are in the manifest and the chart', () => {
  const [, section = ''] = read('docs/operating/settings.md').split('## Set these six first\n')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z_]+)` \|/gm)]
  const six = rows.map(([, name]) => String(name))
  expect(six.length).toBe(6)
  const set = Object.keys(manifest('ConfigMap').data)
  expect(six.filter((name) => !set.includes(name) && !set.includes(`${name}_FILE`))).toEqual([])
  const inChart = [...Object.keys(values.settings), 'METRICS_PORT', 'SIGNING_KEYS']
  expect(six.filter((name) => !inChart.includes(name))).toEqual([])
})

/** A template of the chart as YAML: what Helm fills in is the text `x`, and its own lines are left out. */
function template(name: string): Json {
  const text = read(`ops/helm/portolan/templates/${name}.yaml`)
  const plain = text.replace(/^\s*\{\{.*\}\}\s*$/gm, '').replace(/\{\{.*?\}\}/g, 'x')
  return parse(plain)
}
const values = yaml('ops/helm/portolan/values.yaml')

/** The parts of a Deployment that the chart and the manifest share. */
function sharedParts({ spec }: Json) {
  const { containers, ...inPod } = spec.template.spec
  const [{ args, startupProbe, livenessProbe, readinessProbe, ...rest }] = containers
  return {
    ...{ strategy: spec.strategy, args, startupProbe, livenessProbe, readinessProbe },
    security: [inPod.securityContext, rest.securityContext, inPod.automountServiceAccountToken],
    mounts: rest.volumeMounts,
    ports: rest.ports.map((port: Json) => port.name),
    spread: inPod.topologySpreadConstraints.map(({ labelSelector: _, ...own }: Json) => own),
  }
}

test('the chart has the probes, rights, ports and values of the manifest', () => {
  const deployment = manifest('Deployment')
  expect(sharedParts(template('deployment'))).toEqual(sharedParts(deployment))
  expect(values).toMatchObject({
    replicas: deployment.spec.replicas,
    resources: container.resources,
    terminationGracePeriodSeconds: pod.spec.terminationGracePeriodSeconds,
    podDisruptionBudget: { maxUnavailable: manifest('PodDisruptionBudget').spec.maxUnavailable },
    service: { port: manifest('Service').spec.ports[0].port },
  })
  const { METRICS_PORT: port, TRUSTED_PROXIES, SHUTDOWN_DELAY_MS } = manifest('ConfigMap').data
  expect(values.metrics.port).toBe(Number(port))
  expect(values.settings).toMatchObject({ TRUSTED_PROXIES, SHUTDOWN_DELAY_MS, LOG_FORMAT: 'json' })
  expect(Object.keys(values.settings).filter((name) => !variables.has(name))).toEqual([])
  const autoscaler = fleetManifest('HorizontalPodAutoscaler', 'portolan')
  const { behavior, minReplicas, maxReplicas } = autoscaler.spec
  expect(values.autoscaling).toMatchObject({ minReplicas, maxReplicas })
  expect(template('autoscaler').spec.behavior).toEqual(behavior)
})

test('the chart names no image, and its Secret keys are _FILE settings', () => {
  expect(values.image).toMatchObject({ repository: '', tag: '' })
  const helpers = read('ops/helm/portolan/templates/_helpers.tpl')
  const [, known = ''] = /has \$key \(list ([^)]+)\)/.exec(helpers) ?? []
  const keys = [...known.matchAll(/"([a-z-]+)"/g)].map(([, key = '']) => key)
  const files = keys.map((key) => `${key.toUpperCase().replaceAll('-', '_')}_FILE`)
  expect(files.sort()).toEqual([...variables].filter((name) => name.endsWith('_FILE')).sort())
})

/** Runs `helm template` with values. */
function render(...set: string[]) {
  const args = ['template', 'portolan', 'ops/helm/portolan', '--kube-version', '1.30.0']
  const all = [...args, ...set.flatMap((value) => ['--set', value])]
  const { status, stdout, stderr } = spawnSync('helm', all, { cwd: root, encoding: 'utf8' })
  return { status, stderr, rendered: parseAllDocuments(stdout).map((one): Json => one.toJS()) }
}

const helmIt = test.skipIf(!isInstalled('helm', { isOptional: true }))

helmIt('helm says all that is missing, and renders what the gateway can start with', () => {
  const { status, stderr } = render()
  expect(status).toBe(1)
  const required = ['image.repository', 'image.tag', 'settings.INDEXERS', 'secret.values.signing']
  for (const name of required) expect(stderr).toContain(`Set ${name}`)
  const { rendered } = render(
    ...['image.repository=registry.example/portolan', 'image.tag=1', 'secret.existing=mine'],
    ...['settings.INDEXERS=a-1=https://indexer.example', 'autoscaling.enabled=true'],
    ...['ingress.enabled=true', 'ingress.host=graph.example', 'networkPolicy.enabled=true'],
  )
  const deployment = find(rendered, 'Deployment', 'portolan')
  expect(sharedParts(deployment)).toEqual(sharedParts(manifest('Deployment')))
  const { args } = deployment.spec.template.spec.containers[0]
  const env = find(rendered, 'ConfigMap', 'portolan').data
  expect(commandOf(args, env)).toEqual({ run: 'serve', sandbox: false, problems: [] })
  const kinds = rendered.map(({ kind }) => kind)
  const optional = ['Ingress', 'NetworkPolicy', 'HorizontalPodAutoscaler', 'PodDisruptionBudget']
  expect(kinds).toEqual(expect.arrayContaining(optional))
  expect(kinds).not.toContain('Secret')
})

test('proxy configurations do not buffer events or publish metrics', () => {
  const nginx = read('ops/proxies/nginx.conf')
  // Streams turn it off: `test/plainProxies.test.ts`.
  expect(nginx).toMatch(/proxy_buffering on;/)
  expect(nginx).not.toMatch(/proxy_ignore_headers/)
  expect(nginx).toMatch(/proxy_set_header Upgrade \$http_upgrade;/)
  expect(nginx).toMatch(/proxy_set_header X-Forwarded-For \$remote_addr;/)
  expect(nginx).toMatch(/location ~ \^\/\(health\|ready\|metrics\)\$ \{ return 404; \}/)
  expect(nginx.match(/\{/g)?.length).toBe(nginx.match(/\}/g)?.length)
  const caddy = read('ops/proxies/Caddyfile')
  expect(caddy).toMatch(/flush_interval -1/)
  expect(caddy).toMatch(/respond 404/)
  expect(caddy.match(/\{/g)?.length).toBe(caddy.match(/\}/g)?.length)
})

test('the page on caching shows the configuration that is tested', () => {
  const lines = read('ops/proxies/nginx-cache.conf').split('\n')
  const [, shown] = /```nginx\n([\s\S]*?)```/.exec(read('docs/operating/caching.md')) ?? []
  expect(shown).toBe(lines.filter((line) => !line.startsWith('#')).join('\n'))
})

test('the image runs as an unprivileged user', () => {
  const dockerfile = read('Dockerfile')
  expect(dockerfile).toMatch(/^USER 1000:1000$/m)
  expect(dockerfile).toMatch(/^HEALTHCHECK /m)
  expect(Number(container.securityContext.readOnlyRootFilesystem)).toBe(1)
})

/** A command line, as the gateway reads it with these variables. */
function commandOf(line: string[], env: Record<string, string>) {
  const problems: string[] = []
  const readFile = () => 'a key of 32 characters that nobody can guess'
  const { run, ...rest } = readCommand(line, { env, readFile, problems })
  return { run, sandbox: 'sandbox' in rest && rest.sandbox, problems }
}

test('the image starts the sandbox only if asked to, and deployments never do', () => {
  const dockerfile = read('Dockerfile')
  const [, entry = '[]'] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? []
  const [, usual = '[]'] = /^CMD (.+)$/m.exec(dockerfile) ?? []
  const line: string[] = [...JSON.parse(entry).slice(2), ...JSON.parse(usual)]
  const [, inImage = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? []
  const env = Object.fromEntries(inImage.split(' ').map((pair) => pair.split('=', 2)))
  const started = { run: 'serve', sandbox: true, problems: [] }
  const ended = {
    run: 'serve',
    sandbox: false,
    problems: [expect.stringMatching(/^No chain is configured\..* SANDBOX=true/)],
  }
  expect(commandOf(line, env)).toEqual(ended)
  expect(commandOf(line, { ...env, SANDBOX: 'true' })).toEqual(started)
  expect(commandOf(['--sandbox'], env)).toEqual(started)
  const { demo, gateway } = compose.services
  expect(commandOf(demo.command, env)).toEqual(started)
  expect(demo).toMatchObject({ profiles: ['demo'], ports: gateway.ports })
  expect([demo.environment, demo.secrets]).toEqual([undefined, undefined])
  // Docker Compose reads the variables of all services, whichever it starts.
  expect(read('ops/compose.yaml')).not.toMatch(/\$\{\w+:?\?/)

  const deployed = [gateway, fleet.services['gateway-1'], { command: container.args }]
  for (const { command, environment = {} } of deployed) {
    // A variable without a value in the file is absent if it is not set where Docker Compose runs.
    const given = Object.entries<string | null>({ ...environment, SIGNING_KEYS_FILE: null })
    const set = given.filter(([name, value]) => value !== null && name !== 'INDEXERS')
    const unset = { ...env, ...Object.fromEntries(set) } as Record<string, string>
    expect(commandOf(command, unset)).toEqual(ended)
    const withoutRouter = { ...unset, INDEXERS: 'a-1=https://indexer.example' }
    expect(commandOf(command, withoutRouter)).toEqual({ ...started, sandbox: false })
  }
})

test('every runtime dependency is in docs/dependencies.md', () => {
  const manifest = JSON.parse(read('package.json'))
  const rows = [...read('docs/dependencies.md').matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)]
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  expect(rows.map(([, name]) => name).sort()).toEqual(names.sort())
})

test('each version that docs/dependencies.md says is held back is the one that is installed', () => {
  const files = ['package.json', ...['hooks', 'docs', 'react18'].map((name) => `packages/${name}/package.json`)]
  const installed = files.map((file) => {
    const { dependencies, devDependencies } = JSON.parse(read(file))
    return { ...dependencies, ...devDependencies }
  })
  // One of `packages/react18` is older than those of other folders.
  const versions = Object.assign({}, ...installed)
  const rows = [...read('docs/dependencies.md').matchAll(/^\| ([@a-z][^ `]*) \| (\d+) \| .+ \|$/gm)]
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.map(([, name = '', major]) => [name, major])).toEqual(
    rows.map(([, name = '']) => [name, versions[name]?.split('.')[0]]),
  )
})

test('the image installs optional libraries at their tested versions', () => {
  const { peerDependencies, devDependencies, overrides } = JSON.parse(read('package.json'))
  const image = JSON.parse(read('ops/image/package.json'))
  const tested = Object.keys(peerDependencies).map((name) => [name, devDependencies[name]])
  expect(image.dependencies).toEqual(Object.fromEntries(tested))
  expect(image.overrides).toEqual(overrides)
})

test('npm run sbom lists exactly the packages of the image', () => {
  const text = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' })
  const { bomFormat, components, dependencies } = JSON.parse(text)
  const { packages } = JSON.parse(read('package-lock.json'))
  const { packages: optional } = JSON.parse(read('ops/image/package-lock.json'))
  const installed = [...Object.entries<Json>(packages), ...Object.entries<Json>(optional)]
    // The packages of this repository are links to their folders.
    .filter(([path, { dev, link }]) => path !== '' && !dev && !link)
    .map(([path, { name, version }]) => `${name ?? path.replace(/^.*node_modules\//, '')}@${version}`)
  expect(bomFormat).toBe('CycloneDX')
  const listed = components.map((component: Json) => component['bom-ref'])
  expect(new Set(listed)).toEqual(new Set(installed))
  expect(listed).toContainEqual(expect.stringMatching(/^zod@/))
  // Every package that another one needs is listed too.
  const named = dependencies.flatMap(({ ref, dependsOn }: Json) => [ref, ...dependsOn])
  const { name, version } = packages['']
  expect(new Set(named)).toEqual(new Set([`${name}@${version}`, ...listed]))
})
