import type { Redis } from 'ioredis'

/** Milliseconds for a command, and for opening the connection. */
const commandTimeoutMs = 2_000
const connectTimeoutMs = 5_000

/** Milliseconds between two attempts to connect again. */
const retryMs = 1_000

/**
 * Connects to a Redis. While the connection is broken, each command fails at once, and it is made again in the background.
 * Rejects if there is no Redis at first, or ioredis is not installed.
 */
export async function connectRedis(url: string): Promise<Redis> {
  const { Redis: Connection } = await import('ioredis').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error('A state in Redis needs a package that is not installed. Run npm install ioredis@6.')
  })
  const connection = new Connection(url, {
    ...{ lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0, showFriendlyErrorStack: false },
    ...{ commandTimeout: commandTimeoutMs, connectTimeout: connectTimeoutMs, retryStrategy: () => retryMs },
  })
  let fault: unknown
  // Without a listener, it would end the process. Commands fail by themselves.
  connection.on('error', (error) => {
    fault = error
  })
  try {
    await connection.connect()
  } catch (error) {
    connection.disconnect()
    throw new Error(`Redis cannot be reached (${reasonOf(fault ?? error)}).`)
  }
  return connection
}

/** Why a command failed, without addresses and passwords: a code of the system, or the first word of Redis. */
export function reasonOf(error: unknown): string {
  const { code, message = '' } = error as Partial<NodeJS.ErrnoException>
  const [word = ''] = message.split(' ')
  return code ?? (/^[A-Z]{3,}$/.test(word) ? word : 'no answer')
}
