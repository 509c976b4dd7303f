import { readFile } from 'node:fs/promises'
import { systemClock } from '../clock/clock.ts'

/** Attempts to read a URL: networks fail for a moment. */
const maxAttempts = 3

/** Reads a file or URL. Rejects if it cannot be read. */
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
  const response = await fetch(source, { signal: AbortSignal.timeout(10_000) })
  if (!response.ok) throw new Error(`the response status is ${response.status}`)
  return response.text()
}
