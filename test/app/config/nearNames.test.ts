import { expect, test } from 'vitest'
import { readCommand } from '../../../src/app/config/commandLine.ts'

/** What a gateway over the sandbox says of these variables. Each has the value `secret`. */
function said(names: readonly string[], value = 'secret', line: readonly string[] = ['--sandbox']) {
  const problems: string[] = []
  const env = Object.fromEntries(names.map((name) => [name, value]))
  const readFile = () => {
    throw new Error('no files here')
  }
  const command = readCommand(line, { env, readFile, problems })
  return { problems, warnings: 'warnings' in command ? command.warnings : undefined }
}

test.each([
  // A letter is missing, added or another one.
  ['INDEXER', 'INDEXERS'],
  ['INDEXERSS', 'INDEXERS'],
  ['SANBOX', 'SANDBOX'],
  ['API_KEY', 'API_KEYS'],
  ['LOG_LEVEI', 'LOG_LEVEL'],
  ['REDIS_URLS', 'REDIS_URL'],
  ['UPSTREAM_HEADER_FILE', 'UPSTREAM_HEADERS_FILE'],
  ['MAX_PAGESIZE', 'MAX_PAGE_SIZE'],
  // Two are, in a name of ten letters or more.
  ['ALOWED_ORIGIN', 'ALLOWED_ORIGINS'],
  ['ROUTER_URI_FILES', 'ROUTER_URL_FILE'],
  ['TRUSTED_DOCUMENT_ONY', 'TRUSTED_DOCUMENTS_ONLY'],
  // Two neighbours are swapped.
  ['INDEXRES', 'INDEXERS'],
  ['REDIS_ULR', 'REDIS_URL'],
  // It is in lower case.
  ['indexers', 'INDEXERS'],
  ['Router_Url', 'ROUTER_URL'],
  // The first or the last word is missing.
  ['CACHE_TTL', 'CACHE_TTL_MS'],
  ['SHUTDOWN_DELAY', 'SHUTDOWN_DELAY_MS'],
  ['ANSWER_BYTES', 'MAX_ANSWER_BYTES'],
  ['PAGE_SIZE', 'MAX_PAGE_SIZE'],
  // It is one of the four names that people write.
  ['ROUTER', 'ROUTER_URL'],
  ['PRICES', 'PRICES_URL'],
  ['ORIGINS', 'ALLOWED_ORIGINS'],
  ['CHAINS', 'INDEXERS'],
  // PORTOLAN_ stands before it.
  ['PORTOLAN_INDEXERS', 'INDEXERS'],
  ['PORTOLAN_INDEXER', 'INDEXERS'],
  ['PORTOLAN_HOST', 'HOST'],
  ['PORTOLAN_PORT', 'PORT'],
  ['PORTOLAN_CONFIGS', 'PORTOLAN_CONFIG'],
])('the variable %s is a problem that names %s', (name, meant) => {
  const problem = `${name} is not a setting. Did you mean ${meant}? If it is for another program, unset it for this one.`
  expect(said([name])).toEqual({ problems: [problem], warnings: [] })
})

test('a misspelt name of the chains is the only problem where no chain is configured', () => {
  const { problems } = said(['INDEXER'], 'a-1=http://a', [])
  expect(problems).toEqual([expect.stringMatching(/^INDEXER is not a setting\. Did you mean INDEXERS\?/)])
  // Neither does `npm start` serve the sandbox then.
  expect(said(['INDEXER'], 'a-1=http://a', ['--sandbox-by-default']).problems).toEqual(problems)
})

test.each(['LOGLEVEL', 'METRICS_HOST', 'REDIS_URI'])('%s, which is usual elsewhere, is a warning', (name) => {
  const { problems, warnings } = said([name])
  expect(problems).toEqual([])
  expect(warnings).toEqual([expect.stringMatching(`^${name} is not a setting\\. Did you mean [A-Z_]+\\?$`)])
})

test('LOG_FORMAT, which was a setting and is usual elsewhere, is a warning', () => {
  expect(said(['LOG_FORMAT'])).toEqual({ problems: [], warnings: [expect.stringContaining('is no longer a setting')] })
})

test('a name of an earlier version is a problem that says what to do instead, as a variable, a flag and a key', () => {
  const gone = (name: string) =>
    `${name} is no longer a setting. Run a gateway for each core, with one REDIS_URL and behind a proxy: docs/operating/scaling.md shows it.`
  const ofVariable = `${gone('WORKERS')} If it is for another program, unset it for this one.`
  expect(said(['WORKERS'])).toEqual({ problems: [ofVariable], warnings: [] })
  expect(said([], '', ['--sandbox', '--workers', '2']).problems).toEqual([gone('--workers')])
  expect(said([], '', ['--sandbox', '--workers=auto']).problems).toEqual([gone('--workers')])
  const readFile = () => '{ "workers": 2 }'
  const problems: string[] = []
  readCommand(['--sandbox', '--config', 'p.json'], { env: {}, readFile, problems })
  expect(problems).toEqual([`p.json: ${gone('workers')}`])
  // The address of a service of this name is no setting.
  expect(said(['WORKERS'], 'tcp://10.96.0.1:4000').problems).toEqual([])
})

/** Variables that systems, platforms and other programs set. */
const namesOfOthers = {
  shells: `PATH HOME HOSTNAME HOSTTYPE USER LOGNAME MAIL SHELL SHLVL PWD OLDPWD TERM COLUMNS LINES LANG LC_ALL TZ TMPDIR EDITOR
    PAGER PAGE GRAPHQL DISPLAY XDG_RUNTIME_DIR XDG_CONFIG_HOME SSH_AUTH_SOCK COLORTERM FORCE_COLOR NO_COLOR DEBUG CI POST PORTS HOSTS DOC
    WORD MCPS _`,
  services: `KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT_HTTPS KUBERNETES_PORT_443_TCP_ADDR INDEXER_PORT
    INDEXER_SERVICE_HOST INDEXER_SERVICE_PORT INDEXER_PORT_8080_TCP_PROTO INDEXERS_PORT INDEXERS_SERVICE_HOST ROUTER_PORT
    ROUTER_HOST ROUTER_NAME ROUTER_SERVICE_HOST PORTOLAN_SERVICE_HOST PORTOLAN_SERVICE_PORT PORTOLAN_SERVICE_PORT_METRICS
    PORTOLAN_PORT_8080_TCP PORTOLAN_PORT_4000_TCP_ADDR PORTOLAN_METRICS_SERVICE_HOST METRICS_SERVICE_PORT PRICES_SERVICE_HOST`,
  redis: `REDIS_HOST REDIS_PORT REDIS_USER REDIS_USERNAME REDIS_PASSWORD REDIS_DB REDIS_TLS REDIS_TLS_URL REDIS_PUBLIC_URL
    REDIS_PRIVATE_URL REDIS_SERVICE_HOST REDIS_SERVICE_PORT REDIS_PORT_6379_TCP REDIS_PORT_6379_TCP_ADDR REDIS_CLUSTER REDIS_SSL
    REDIS_MASTER_NAME REDIS_ENDPOINT REDISHOST REDISPORT REDISUSER REDISPASSWORD UPSTASH_REDIS_REST_URL`,
  node: `NODE_ENV NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_VERSION YARN_VERSION NPM_TOKEN npm_config_loglevel
    npm_config_registry npm_package_name npm_lifecycle_event npm_config_cache INIT_CWD UV_THREADPOOL_SIZE`,
  proxies:
    'HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy SSL_CERT_FILE SSL_CERT_DIR PROXY_URL',
  databases: `DATABASE_URL DB_URL DB_HOST DB_PORT PGHOST PGPORT PGUSER PGPASSWORD POSTGRES_URL POSTGRES_PASSWORD MYSQL_HOST
    MONGO_URL MONGODB_URI RABBITMQ_URL AMQP_URL KAFKA_BROKERS ELASTICSEARCH_URL MEMCACHED_HOST MAX_POOL_SIZE MAX_POOL`,
  telemetry: `OTEL_LOG_LEVEL OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_RESOURCE_ATTRIBUTES
    OTEL_TRACES_SAMPLER SENTRY_DSN DD_AGENT_HOST DD_ENV DD_SERVICE NEW_RELIC_LICENSE_KEY STATSD_HOST`,
  clouds: `AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_EXECUTION_ENV AWS_LAMBDA_FUNCTION_NAME AWS_WEB_IDENTITY_TOKEN_FILE
    ECS_CONTAINER_METADATA_URI ECS_CONTAINER_METADATA_URI_V4 K_SERVICE K_REVISION K_CONFIGURATION GOOGLE_CLOUD_PROJECT
    GOOGLE_APPLICATION_CREDENTIALS GCLOUD_PROJECT WEBSITE_SITE_NAME WEBSITE_HOSTNAME WEBSITES_PORT AZURE_CLIENT_ID APPSETTING_X
    CONTAINER_APP_NAME FUNCTIONS_WORKER_RUNTIME DYNO HEROKU_APP_NAME HEROKU_SLUG_COMMIT FLY_APP_NAME FLY_REGION FLY_PUBLIC_IP
    RENDER RENDER_EXTERNAL_URL RENDER_SERVICE_NAME RENDER_INSTANCE_ID RAILWAY_ENVIRONMENT RAILWAY_PUBLIC_DOMAIN VERCEL VERCEL_URL
    NETLIFY NOMAD_ALLOC_ID NOMAD_PORT_http NOMAD_ADDR_http CONSUL_HTTP_ADDR VAULT_ADDR VCAP_SERVICES VCAP_APPLICATION CF_INSTANCE_INDEX`,
  containers: `container CONTAINER_NAME IS_SANDBOX DOCKER_HOST COMPOSE_PROJECT_NAME POD_NAME POD_IP POD_NAMESPACE NODE_NAME
    NAMESPACE SERVICE_NAME SERVICE_PORT IMAGE_TAG REPLICAS REGISTRY_URL REGISTRY`,
  systemd: `INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET LISTEN_FDS LISTEN_PID SYSTEMD_EXEC_PID WATCHDOG_USEC STATE_DIRECTORY
    RUNTIME_DIRECTORY CREDENTIALS_DIRECTORY`,
  builds: `GITHUB_ACTIONS GITHUB_TOKEN GITHUB_REF RUNNER_OS GITLAB_CI CI_COMMIT_SHA CI_JOB_ID BUILD_NUMBER BUILDKITE CIRCLECI TRAVIS
    JENKINS_URL`,
  programs: `SECRET_KEY JWT_SECRET SESSION_SECRET BASE_URL API_URL API_BASE_URL PUBLIC_URL APP_ENV APP_NAME APP_PORT MAX_REQUESTS
    MAX_WORKERS WEB_CONCURRENCY WORKER_ID WORKERS_COUNT WORKER_CONNECTIONS TIMEOUT TIMEOUT_SECONDS GRACEFUL_TIMEOUT LOG LOGS LOG_FILE LOG_DIR
    LOG_PATH LOG_COLOR LOGGING LEVEL CONFIG CONFIG_FILE CONFIG_PATH CACHE CACHE_DIR CACHE_URL CACHE_SIZE ORIGIN CORS_ORIGIN CORS_ORIGINS
    EXPLORER_URL GRAPHQL_URL RPC_URL CHAIN CHAIN_ID NETWORK TOKEN TOKENS KEYS KEY SIGNING_SECRET OPENAI_API_KEY MAX_AGE
    MAX_SIZE MAX_MEMORY METRICS METRICS_ENABLED METRICS_PATH PROMETHEUS_PORT FEDERATED MCP_SERVER MCP_PORT`,
}

test.each(Object.entries(namesOfOthers))('variables of %s are neither a problem nor a warning', (_who, names) => {
  expect(said(names.split(/\s+/))).toEqual({ problems: [], warnings: [] })
})

test('the address of a service, as Kubernetes and links of Docker set it, is never a slip', () => {
  const names = ['PORTOLAN_PORT', 'PORTOLAN_METRICS_PORT', 'METRIC_PORT', 'PORTOLAN_PORT_4000_TCP']
  expect(said(names, 'tcp://10.96.0.1:4000')).toEqual({ problems: [], warnings: [] })
  expect(said(names, '4000').problems).toHaveLength(3)
})

test('a program that reads a graph at a URL takes no notice of close names', () => {
  const line = ['mcp', 'https://graph.example/graphql']
  expect(said(['API_KEY', 'PORTOLAN_API_KEY'], 'secret', line)).toEqual({ problems: [], warnings: [] })
})
