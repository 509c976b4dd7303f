import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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
const documentsOf = (text: string): Json[] => parseAllDocuments(text).map((document) => document.toJS())

/** A template of the chart as YAML: what Helm fills in is the text `x`, and its own lines are left out. */
function template(name: string): Json[] {
  const text = read(`ops/helm/portolan/templates/${name}.yaml`)
  const plain = text.replace(/^\s*\{\{.*\}\}\s*$/gm, '').replace(/\{\{.*?\}\}/g, 'x')
  return documentsOf(plain)
}
const values = yaml('ops/helm/portolan/values.yaml')
const [deployment] = template('deployment')
const [container] = deployment.spec.template.spec.containers
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
    ...Object.keys(values.settings),
    ...Object.keys(fleet.services['gateway-1'].environment),
  ]
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !variables.has(name))).toEqual([])
})

test('ports are the same in all files of ops', () => {
  const port = /EXPOSE (\d+)/.exec(read('Dockerfile'))?.[1]
  const [scrape] = yaml('ops/prometheus/prometheus.yml').scrape_configs
  expect(read('Dockerfile')).toContain(`PORT=${port}`)
  expect(compose.services.gateway.ports).toEqual([`127.0.0.1:${port}:${port}`])
  expect(scrape.static_configs[0].targets).toEqual([`gateway:${compose.services.gateway.environment.METRICS_PORT}`])
  expect(container.ports[0]).toEqual({ name: 'http', containerPort: Number(port) })
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
  const delay = Number(values.settings.SHUTDOWN_DELAY_MS) / 1000
  expect(values.terminationGracePeriodSeconds).toBeGreaterThan(delay + 8)
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

/** The lines `NAME=value` of a file for systemd. */
const assignments = (text: string): [string, string][] =>
  [...text.matchAll(/^([A-Za-z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])

/** The command of an instance of the unit, with the settings of its file where the page installs it. */
function commandOfUnit(words: string, port: number) {
  const [, source = '', path] = /^install .* (ops\S+) (\/etc\S+)$/m.exec(read('docs/operating/scaling.md')) ?? []
  const problems: string[] = []
  const readFile = (name: string) => (name === path ? read(source) : read(name))
  const command = readCommand(words.replaceAll('%i', String(port)).split(' '), { env: {}, readFile, problems })
  return { problems, command }
}

test('a reload of the unit of systemd reads its settings again', () => {
  const unit = Object.fromEntries(assignments(read('ops/systemd/portolan@.service')))
  expect(unit).toMatchObject({ ExecReload: '/bin/kill -HUP $MAINPID', ExecStart: expect.stringContaining('--config') })
  // Variables of a process stay as they were at its start.
  expect(Object.keys(unit).filter((name) => name.startsWith('Environment'))).toEqual([])
  // No other user than root and those of the group may read the file, which can hold keys.
  const page = read('docs/operating/scaling.md')
  expect(page).toContain(`--mode=640 --group=${unit.SupplementaryGroups} ops/systemd/portolan.jsonc`)
})

test('the unit of systemd runs a gateway on each port that nginx passes requests to', () => {
  const unit = Object.fromEntries(assignments(read('ops/systemd/portolan@.service')))
  const [, flags = '', words = ''] = /^\/usr\/bin\/node (.*) \S+\/dist\/main\.js (.*)$/.exec(unit.ExecStart ?? '') ?? []
  expect(JSON.parse(read('package.json')).scripts.start).toBe(`node ${flags} dist/main.js --sandbox-by-default`)
  const instances = [...read('docs/operating/scaling.md').matchAll(/portolan@(\d+)/g)].map(([, port]) => Number(port))
  const named = [...read('ops/systemd/nginx-upstream.conf').matchAll(/server 127\.0\.0\.1:(\d+) /g)]
  expect(new Set(instances)).toEqual(new Set(named.map(([, port]) => Number(port))))
  for (const port of instances) {
    const { problems, command } = commandOfUnit(words, port)
    expect([problems, command]).toMatchObject([[], { run: 'serve', sandbox: false, settings: { port } }])
    if (command.run !== 'serve') throw new Error('it does not serve')
    expect(Number(unit.TimeoutStopSec)).toBeGreaterThan(command.settings.limits.shutdownDelayMs / 1000 + 8)
  }
  expect(Number(unit.LimitNOFILE)).toBeGreaterThan(2 * resolveLimits().maxConnections)
})

test.skipIf(!isInstalled('systemd-analyze', { isOptional: true }))('systemd finds no fault in the unit', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
  const unit = join(folder, 'portolan@4001.service')
  // It must find the program.
  writeFileSync(unit, read('ops/systemd/portolan@.service').replace('/usr/bin/node', process.execPath))
  const { stderr, status } = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' })
  expect([stderr, status]).toEqual(['', 0])
  rmSync(folder, { recursive: true })
})

/** The directives of a configuration of Redis. */
const directives = (text: string): string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

test('Redis has the same settings in Compose and in the chart, and spare memory', () => {
  const lines = directives(read('ops/fleet/redis.conf'))
  const [config, redis] = template('redis')
  expect(directives(config.data['redis.conf'])).toEqual(lines)
  const kept = Number(/maxmemory (\d+)mb/.exec(lines.join('\n'))?.[1])
  const { limits } = redis.spec.template.spec.containers[0].resources
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

test('the runbook names only limits that exist', () => {
  const [, entry = ''] = read('docs/operating/runbook.md').split('## PortolanRefusals\n')
  const [, actions = ''] = (entry.split('\n## ')[0] ?? '').split('**Do**\n')
  const named = [...actions.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((name) => !(refusingLimits as readonly string[]).includes(name))).toEqual([])
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

test('the six settings to set first are in the chart', () => {
  const [, section = ''] = read('docs/operating/settings.md').split('## Set these six first\n')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([A-Z_]+)` \|/gm)]
  const six = rows.map(([, name]) => String(name))
  expect(six.length).toBe(6)
  const inChart = [...Object.keys(values.settings), 'METRICS_PORT', 'SIGNING_KEYS']
  expect(six.filter((name) => !inChart.includes(name))).toEqual([])
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
    ...['settings.INDEXERS=a-1=https://indexer.example', 'redis.enabled=true'],
    ...['autoscaling.enabled=true', 'autoscaling.sockets=7500'],
    ...['ingress.enabled=true', 'ingress.host=graph.example', 'networkPolicy.enabled=true'],
  )
  const find = (kind: string, name = 'portolan'): Json =>
    rendered.find((one) => one.kind === kind && one.metadata.name === name)
  const { metadata, spec } = find('Deployment').spec.template
  const { data: env } = find('ConfigMap')
  expect(Object.keys(env).filter((name) => !variables.has(name))).toEqual([])
  expect(commandOf(spec.containers[0].args, env)).toEqual({ run: 'serve', sandbox: false, problems: [] })
  expect(find('Service').spec.selector).toEqual(find('Deployment').spec.selector.matchLabels)
  for (const kind of ['Deployment', 'PodDisruptionBudget']) {
    expect(metadata.labels).toMatchObject(find(kind).spec.selector.matchLabels)
  }
  expect(find('NetworkPolicy').spec.podSelector.matchLabels).toEqual(find('Service').spec.selector)
  expect(find('Ingress').spec.rules[0].host).toBe('graph.example')
  expect(find('Secret')).toBeUndefined()

  const { scaleTargetRef, metrics, minReplicas } = find('HorizontalPodAutoscaler').spec
  expect(scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'portolan' })
  expect(find('PodDisruptionBudget').spec.maxUnavailable).toBeLessThan(minReplicas)
  const { metric, target } = metrics.find(({ type }: Json) => type === 'Pods').pods
  expect(Number(target.averageValue)).toBeLessThanOrEqual(resolveLimits().maxConnections / 2)
  expect(yaml('ops/helm/prometheus-adapter.yaml').rules.custom[0].name.as).toBe(metric.name)

  const { selector, ports } = find('Service', 'portolan-redis').spec
  expect(env.REDIS_URL).toBe(`redis://portolan-redis:${ports[0].port}`)
  const redis = find('Deployment', 'portolan-redis').spec
  expect([redis.selector.matchLabels, redis.template.metadata.labels]).toEqual([selector, selector])
  expect(find('Service').spec.selector).not.toEqual(selector)
  const policy = find('NetworkPolicy', 'portolan-redis').spec
  expect(policy.podSelector.matchLabels).toEqual(selector)
  expect(policy.ingress[0].from[0].podSelector.matchLabels).toEqual(find('Service').spec.selector)
})

helmIt('the chart makes no Redis unless it is asked for, and takes the URL of one only', () => {
  const usual = [
    'image.repository=a',
    'image.tag=1',
    'secret.existing=mine',
    'settings.INDEXERS=a-1=https://indexer.example',
  ]
  // Values that are kept from a release before the chart had a Redis.
  for (const set of [usual, [...usual, 'redis=null']]) {
    const { status, rendered } = render(...set)
    expect([status, rendered.filter((one) => one?.metadata.name === 'portolan-redis')]).toEqual([0, []])
  }
  const twice = render(...usual, 'redis.enabled=true', 'secret.keys={signing-keys,redis-url}')
  expect([twice.status, twice.stderr]).toEqual([1, expect.stringContaining('redis.enabled')])
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
  const files = [
    'package.json',
    ...['apps/hooks', 'apps/docs', 'packages/react18'].map((folder) => `${folder}/package.json`),
  ]
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
