import { readFile } from 'node:fs/promises'
import { systemClock } from '../../kit/clock/clock.ts'

/** Attempts to read a URL: networks fail for a moment. */
const maxAttempts = 3

/** The most bytes of a file at a URL. The registries of all known networks have a hundredth. */
const maxBytes = 16 * 1024 * 1024

/** Reads a file or URL. Redirects are not followed. Rejects if it cannot be read. */
export async function readText(source: string): Promise<string> {
  if (!/^https?:\/\//i.test(source)) return readFile(source, 'utf8')
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchText(source)
    } catch (error) {
      if (attempt === maxAttempts) throw error
      await new Promise<void>((resolve) => void systemClock.after(500 * attempt, resolve))
    }
  }
}

async function fetchText(source: string): Promise<string> {
  const signal = AbortSignal.timeout(10_000)
  const response = await fetch(source, { signal, redirect: 'manual' })
  if (response.status >= 300 && response.status < 400) {
    throw new Error('the response is a redirect, which is not followed')
  }
  if (!response.ok) throw new Error(`the response status is ${response.status}`)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
