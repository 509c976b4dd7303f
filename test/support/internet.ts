import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildConnector } from 'undici'
import type { ConnectOptions, Resolve } from '../../src/engine/nftMetadata/connect.ts'
import { createNftMetadata } from '../../src/engine/nftMetadata/nftMetadata.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import type { Clock } from '../../src/kit/clock/clock.ts'

/** Answers a request to a host that NFTs name. */
export type Host = (request: IncomingMessage, response: ServerResponse) => void

/** What the hosts of the internet do. */
export interface InternetOptions {
  /** What the hosts answer, whichever they are. By default status 404. */
  readonly host?: Host
  /** The addresses of a host. By default all have one public address. */
  readonly resolve?: Resolve
}

/** All hosts on the internet, as one server on loopback. */
export interface Internet extends AsyncDisposable {
  /** How connections are made to it. */
  readonly connect: ConnectOptions
  /** The addresses that were connected to, each with its port. */
  readonly dialed: string[]
  /** The names that were looked up. */
  readonly resolved: string[]
  /** What the hosts were asked. */
  readonly asked: IncomingMessage[]
}

export const publicAddress = '93.184.216.34'

/** Answers every request with these bytes. */
export const answering =
  (body: Buffer | string, headers: Record<string, string> = {}, status = 200): Host =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

/** Starts a server that stands for all hosts. */
export async function startInternet({
  host = answering('', {}, 404),
  resolve = async () => [publicAddress],
}: InternetOptions = {}): Promise<Internet> {
  const dialed: string[] = []
  const resolved: string[] = []
  const asked: IncomingMessage[] = []
  const server = createServer((request, response) => {
    asked.push(request)
    host(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const open = buildConnector({})
  return {
    ...{ dialed, resolved, asked },
    connect: {
      resolve(name, signal) {
        resolved.push(name)
        return resolve(name, signal)
      },
      dial(given, callback) {
        const wanted = given.port || (given.protocol === 'https:' ? '443' : '80')
        dialed.push(`${given.hostname} ${wanted}`)
        const here = { protocol: 'http:', hostname: '127.0.0.1', port: String(port) }
        open({ ...given, ...here }, callback)
      },
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** The reading of metadata without a gateway, for tests of time. */
export const openTestMetadata = ({ connect }: Internet, { clock }: { readonly clock: Clock }) =>
  createNftMetadata({
    ...{ connect, clock, isOffline: false, pictureUrl: undefined },
    cache: new CacheStore(clock),
    gateways: { ipfs: 'https://ipfs.example/ipfs/', arweave: 'https://arweave.example/' },
  })
