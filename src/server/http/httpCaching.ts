import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import type { SharedContext } from '../../engine/graphql/builder.ts'
import { requestIdHeader } from '../../engine/telemetry/requestId.ts'
import type { Client } from '../clients/client.ts'
import { hasKeyHeader, keyHeaders } from '../clients/identify.ts'
import type { CacheableResult } from '../operation/operation.ts'
import { routerKey } from '../operation/prepare.ts'
import { costHeader } from '../operation/sender.ts'
import { type Reply, replaceHeaders, varyOf } from './reply.ts'

/** Decides for how long browsers, proxies and routers in front may keep an answer. */
export interface HttpCaching {
  /**
   * The header `Cache-Control` of an answer that may be kept. Undefined for an answer that must not be, which has
   * `no-store` like all other replies.
   */
  controlOf(
    request: Pick<IncomingMessage, 'method' | 'headers'>,
    client: Pick<Client, 'key'>,
    result: CacheableResult,
  ): string | undefined
  /** Whether answers to POST are marked too. */
  readonly marksPosts: boolean
}

/** What is final is kept for a day at most. */
const maxAgeMs = 24 * 60 * 60_000

/** An answer that reads nothing changes with the settings and the version, and nobody knows when. In milliseconds. */
const settingsAgeMs = 5 * 60_000

/**
 * Opens the rules of HTTP caching. An answer is the same for every client, but one that came with a key may have needed
 * it, so that no shared cache may hand it on. HTTP caches keep no answer to a POST that does not name its URL in
 * `Content-Location`. The router of a federated graph does, by `Cache-Control`: as a client without a key or with
 * its own.
 */
export function createHttpCaching({
  clock,
  network,
  schema,
  limits: { cacheTtlMs },
}: Pick<SharedContext, 'clock' | 'network' | 'limits'> & { readonly schema: GraphQLSchema }): HttpCaching {
  const marksPosts = schema.getType('_Entity') !== undefined
  return {
    marksPosts,
    controlOf({ method, headers }, { key }, { freshUntil, epoch }) {
      if (epoch !== network.epoch) return undefined
      const leftMs = freshUntil === Number.POSITIVE_INFINITY ? settingsAgeMs : freshUntil - clock.now()
      const seconds = Math.floor(Math.min(leftMs, cacheTtlMs, maxAgeMs) / 1000)
      if (seconds < 1) return undefined
      const shared = `public, max-age=${seconds}`
      const isKeyed = hasKeyHeader(headers)
      if (method === 'GET') return isKeyed ? 'private, no-cache' : shared
      return marksPosts && (!isKeyed || key === routerKey) ? shared : undefined
    },
  }
}

/** The request headers that an answer depends on. */
const decisive = ['Accept', 'Accept-Encoding', ...keyHeaders, costHeader].join(', ')

/**
 * The head of an answer that caches keep, without the headers of its body. The id of a request is left out of what others
 * get too. A 304 has the same head: caches update what they have with it.
 */
export function cachedHead(reply: Reply, control: string, etag?: string): string[] {
  const vary = [decisive, varyOf(reply)].filter(Boolean).join(', ')
  const isShared = control.startsWith('public')
  return replaceHeaders(reply, {
    ...(isShared && { [requestIdHeader]: undefined }),
    ...{ 'cache-control': control, etag, vary },
  })
}
