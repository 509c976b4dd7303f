import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'

/** A proxy in front of servers on this machine. */
export interface RunningProxy extends AsyncDisposable {
  readonly port: number
  /** The certificate that it shows, in PEM. */
  readonly ca: string
}

interface Configuration {
  readonly folder: string
  readonly port: number
  readonly servers: readonly number[]
}

interface Kind {
  readonly args: (folder: string) => string[]
  readonly text: (configuration: Configuration) => string
  readonly isReady: RegExp
}

const fileOf = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', 'ops', path), 'utf8')

/** The gateways of ops, of which only the addresses are replaced. */
function upstreamText(servers: readonly number[]): string {
  const text = fileOf(servers.length > 1 ? 'fleet/nginx-upstream.conf' : 'proxies/nginx-upstream.conf')
  const left = servers.map((port) => `server 127.0.0.1:${port} `)
  const replaced = text.replace(/\bserver [\d.]+:\d+ /g, (own) => left.shift() ?? own)
  if (left.length > 0) throw new Error('ops names fewer gateways')
  return replaced
}

/** What any configuration of nginx needs to run in a folder. */
const nginxText = (folder: string, inHttp: string) => `
  user root; daemon off; pid ${folder}/pid; error_log stderr notice; events {}
  http {
    access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
    fastcgi_temp_path ${folder}/a; uwsgi_temp_path ${folder}/b; scgi_temp_path ${folder}/c;
    ${inHttp}
  }`

/** What any configuration of Caddy needs to run here. */
const caddyText = (sites: string) => `{
    admin off
    auto_https disable_redirects
  }
  ${sites}`

/** The nginx of ops, with `more` in its block `http`. */
const nginxOfOps = ({ folder, port, servers }: Configuration, more = ''): string =>
  nginxText(
    folder,
    `# Tells the test which gateway answered, and which did not.
    add_header x-served-by $upstream_addr always;
    ${more}
    ${upstreamText(servers)}
    ${fileOf('proxies/nginx.conf')
      .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
      .replaceAll('/etc/nginx/graph.example', `${folder}/tls`)}`,
  )

/** The configuration of the nginx of ops that keeps answers. */
export const cachingNginx = (configuration: Configuration): string =>
  nginxOfOps(
    configuration,
    fileOf('proxies/nginx-cache.conf').replace('/var/cache/portolan', `${configuration.folder}/cache`),
  )

const kinds = {
  nginx: {
    args: (folder) => ['-p', folder, '-c', join(folder, 'config'), '-e', 'stderr'],
    text: (configuration) => nginxOfOps(configuration),
    isReady: /start worker process /,
  },
  caddy: {
    args: (folder) => ['run', '--adapter', 'caddyfile', '--config', join(folder, 'config')],
    text: ({ folder, port, servers: [server] }) =>
      caddyText(
        fileOf('proxies/Caddyfile')
          .replace('127.0.0.1:4000', `127.0.0.1:${server}`)
          .replace(/^graph\.example \{/m, `https://127.0.0.1:${port} {\n\ttls ${folder}/tls.pem ${folder}/tls.key`),
      ),
    isReady: /serving initial configuration/,
  },
} satisfies Record<string, Kind>

/** The configuration of an nginx that only passes requests on, besides what `more` says. */
export const plainNginx =
  (more: string) =>
  ({ folder, port, servers: [server] }: Configuration): string =>
    nginxText(
      folder,
      `${more}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://127.0.0.1:${server}; }
      }`,
    )

/** The configuration of a Caddy that only passes requests on, over HTTP/2 to those who can. */
export const plainCaddy = ({ folder, port, servers: [server] }: Configuration): string =>
  caddyText(`https://127.0.0.1:${port} {
    tls ${folder}/tls.pem ${folder}/tls.key
    encode gzip {
      match header Content-Type *
    }
    reverse_proxy 127.0.0.1:${server}
  }`)

/** The proxies that ops has a configuration for. */
export type ProxyName = keyof typeof kinds

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/**
 * Starts a proxy in front of the servers at these ports of 127.0.0.1. By default it has TLS, and the configuration
 * that operators get.
 */
export async function startProxy(
  name: ProxyName,
  servers: readonly number[],
  text: Kind['text'] = kinds[name].text,
): Promise<RunningProxy> {
  const { args, isReady }: Kind = kinds[name]
  const { cert, key } = makeCertificate({ address: [127, 0, 0, 1], years: [2020, 2999] })
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
  const port = await freePort()
  writeFileSync(join(folder, 'tls.pem'), cert)
  writeFileSync(join(folder, 'tls.key'), key)
  writeFileSync(join(folder, 'config'), text({ folder, port, servers }))
  const proxy = spawn(name, args(folder), {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    proxy.stderr.on('data', (chunk) => {
      said += chunk
      if (isReady.test(said)) resolve()
    })
    proxy.once('error', reject)
    proxy.once('exit', () => reject(new Error(said)))
  })
  return {
    port,
    ca: cert,
    async [Symbol.asyncDispose]() {
      if (proxy.exitCode === null) {
        const exited = once(proxy, 'exit')
        proxy.kill('SIGTERM')
        await exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
