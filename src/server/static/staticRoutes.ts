import type { IncomingMessage } from 'node:http'
import { isPromise } from '../../kit/awaitable.ts'
import type { Clients } from '../clients/clients.ts'
import { sendError } from '../http/httpError.ts'
import { type Handler, type Reply, writeHead } from '../http/reply.ts'
import { chargeFile, pathOf, plainPath, singleSlashes } from '../http/requestGuards.ts'
import type { Site } from './site.ts'
import { type StaticFile, sendFile } from './staticFile.ts'

/** The file for a request. A promise of none is answered with 404. */
export type FileAt = (
  path: string,
  request: IncomingMessage,
) => StaticFile | Promise<StaticFile | undefined> | undefined

/** Files at paths that are known while the gateway runs. */
export interface StaticRoutes {
  /** The handler of a request to a file. Undefined if there is none at its path. */
  find(request: IncomingMessage): Handler | undefined
  /** The handler for a browser at an unknown path: a page with status 404. Undefined for other requests. */
  findLost(request: IncomingMessage): Handler | undefined
  /** Sends a file at the cost of the client that asks for it. */
  send(file: StaticFile, request: IncomingMessage, reply: Reply): void
}

export interface StaticFiles {
  readonly fileAt: FileAt
  /** Whether there is a page at a path that ends with a slash. */
  readonly hasFolder?: ((path: string) => boolean) | undefined
  /** The page for a browser at an unknown path, and at that of a record that does not exist. */
  readonly lostPage: StaticFile
  /** Whether a path of that page names a record that does not exist. */
  readonly isMissing?: ((path: string, request: IncomingMessage) => Promise<boolean>) | undefined
}

/**
 * Serves files to GET and HEAD. They are the same for everybody, so that no API key is asked for, but they cost
 * points as answers do.
 */
export function createStaticRoutes(
  { identify }: Pick<Clients, 'identify'>,
  { fileAt, hasFolder, lostPage, isMissing }: StaticFiles,
): StaticRoutes {
  const send = (file: StaticFile, request: IncomingMessage, reply: Reply) => {
    // A browser sends no key when it opens a page or loads a script of it.
    const client = identify.ofUpgrade(request)
    if ('status' in client) return sendError(reply, client)
    sendFile(file, request, reply, (bytes) => chargeFile(client, bytes))
  }
  return {
    send,
    findLost(request) {
      if (!isRead(request) || !isOpenedByBrowser(request)) return undefined
      return (_, reply) => send({ ...lostPage, status: 404 }, request, reply)
    },
    find(request) {
      if (!isRead(request)) return undefined
      const path = singleSlashes(pathOf(request))
      const found = fileAt(path, request)
      if (found === undefined) {
        if (hasFolder?.(`${path}/`)) return moveTo(`${path}/`)
        const plain = plainPath(path)
        return plain !== path && fileAt(plain, request) !== undefined ? moveTo(plain) : undefined
      }
      // The page reads its own address.
      if (path !== pathOf(request)) return moveTo(path)
      if (found === lostPage && isMissing)
        return async (_, reply) => {
          const status = (await isMissing(path, request)) ? 404 : 200
          send({ ...found, status }, request, reply)
        }
      if (!isPromise(found)) return (_, reply) => send(found, request, reply)
      return async (_, reply) => {
        const file = await found
        if (file) send(file, request, reply)
        else sendError(reply, { status: 404, message: 'Not found.' })
      }
    },
  }
}

const isRead = ({ method }: IncomingMessage): boolean => method === 'GET' || method === 'HEAD'

/** Whether somebody opens an address, rather than a page or a program that asks for a part of it. */
const isOpenedByBrowser = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? '').includes('text/html') && (headers['sec-fetch-dest'] ?? 'document') === 'document'

/**
 * Leads to another path, with the query of the request: that of a folder, since the links of its page begin there, or one
 * without a slash too many. A path that begins with two slashes would lead to another host.
 */
export const moveTo =
  (path: string): Handler =>
  ({ url = '' }, reply) =>
    void writeHead(reply, 308, { location: path + url.slice(pathOf({ url }).length) }).end()

const noPage = [1, 0] as const

/** The file of a site for a request: one with this path, or the page at the path of a page. */
export function fileOfSite(
  { files, page, pages }: Site,
  path: string,
  { headers }: IncomingMessage,
): StaticFile | undefined {
  const file = files.get(path)
  if (file) return file
  const isForBrowser = /text\/html|\*\/\*/.test(headers.accept ?? '')
  const [first = '', ...rest] = path
    .slice(1)
    .replace(/(?<=[^/])\/$/, '')
    .split('/')
  const [least, most] = pages.get(first) ?? noPage
  return isForBrowser && rest.length >= least && rest.length <= most ? page : undefined
}
