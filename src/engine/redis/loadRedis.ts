import type { Redis } from 'ioredis'
import { loadOptional, type PeerFeature } from '../../kit/loadOptional.ts'

/** The optional library of a fleet. */
export const redisFeature: PeerFeature = { name: 'REDIS_URL', packages: ['ioredis@6'] }

/** The part of ioredis that gives each reply to its command. */
interface ReplyHandler {
  readonly redis: Redis
}

/**
 * Loads ioredis. For a malformed reply, ioredis throws an error that nobody can catch, and the process would end. Here
 * the connection ends instead. Rejects with a sentence for operators if ioredis is not installed.
 */
export async function loadRedis(): Promise<typeof import('ioredis').Redis> {
  const [{ Redis }, handler] = await loadOptional(redisFeature, () =>
    Promise.all([import('ioredis'), import('ioredis/built/DataHandler.js')]),
  )
  // A bundler may already have taken the default export out of the CommonJS module.
  const { default: exported } = handler
  const { prototype } = 'prototype' in exported ? Object(exported) : exported.default
  Object.defineProperty(prototype, 'dispatch', { value: dispatch })
  return Redis
}

function dispatch(this: ReplyHandler, handle: () => void): void {
  try {
    handle()
  } catch {
    this.redis.emit('error', new Error('The reply is no reply to a command.'))
    this.redis.disconnect()
  }
}
