import { readFileSync } from 'node:fs'

/** The version of this package. */
export function packageVersion(): string {
  const file = new URL('../package.json', import.meta.url)
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
