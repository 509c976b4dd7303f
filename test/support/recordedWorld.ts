import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import { createGateway } from '../../src/gateway.ts'
import { patientClock } from './patientClock.ts'
import { pathOf, type RecordedAnswer, recordedAnswer, recordedChain, textOf } from './recorded.ts'
import type { Answer, Data } from './world.ts'

/** A gateway over services that answer as real ones did. */
export interface RecordedWorld extends AsyncDisposable {
  /** Sends a document over HTTP. */
  ask(query: string): Promise<Answer>
  /** The text of the answer to a document. */
  text(query: string): Promise<string>
  /** The data of a document that has to succeed. */
  data(query: string): Promise<Data>
}

/** Serves the recorded answers on loopback. What was not recorded is a 404, as of a real indexer. */
async function startServices(chosen: readonly RecordedAnswer[]) {
  const find = (service: string, method: string, target: string) =>
    service === 'indexer'
      ? recordedAnswer('indexer', method, target)
      : (chosen.find((each) => each.method === method && each.path === pathOf(target)) ??
        recordedAnswer('router', method, target))
  const server = createServer((request, response) => {
    const [, service = '', target = ''] = /^\/(indexer|router)(\/.*)$/.exec(request.url ?? '') ?? []
    const answer = find(service, request.method ?? '', target)
    const type = typeof answer?.body === 'object' ? 'application/json' : 'text/plain; charset=utf-8'
    request.resume().on('end', () => {
      response.writeHead(answer?.status ?? 404, { 'content-type': type })
      response.end(answer ? textOf(answer) : '[NOT_FOUND]')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Starts a gateway over the recorded services. The router sends the chosen answers, else its first success. */
export async function startRecordedWorld(...chosen: readonly RecordedAnswer[]): Promise<RecordedWorld> {
  const services = await startServices(chosen)
  const gateway = await createGateway(
    {
      chains: [{ chainId: recordedChain, url: `${services.url}/indexer`, vm: 'evm', bech32Prefix: 'init' }],
      router: { url: `${services.url}/router` },
    },
    { upstream: { backoff: () => 0 }, clock: patientClock },
  )
  const text = async (query: string) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(gateway.url, { method: 'POST', headers, body: JSON.stringify({ query }) })).text()
  }
  const ask = async (query: string): Promise<Answer> => JSON.parse(await text(query))
  return {
    text,
    ask,
    async data(query) {
      const { data, errors } = await ask(query)
      expect(errors).toBeUndefined()
      return data
    },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await services.close()
    },
  }
}
