import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hook, readConfig } from '../../src/config.ts'

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const otherSecret = `whsec_${Buffer.alloc(32, 8).toString('base64')}`

export const activityDocument = `subscription Activity($address: Address!, $after: String) {
  activity(address: $address, after: $after) {
    cursor chain { chainId prettyName } node { id hash timestamp actions { summary } } notice { kind message }
  }
}`

/** A hook of such a file, with these parts. */
export function toHook(parts: Readonly<Record<string, unknown>>): Hook {
  const hook = { name: 'treasury', secret, document: activityDocument, ...parts }
  const config = readConfig(JSON.stringify({ url: 'http://127.0.0.1:1/graphql', allowPrivate: true, hooks: [hook] }), {
    env: {},
    readFile: () => '',
  })
  const [found] = config.hooks
  if (!found) throw new Error('There is no hook.')
  return found
}

/** A folder for files, which `using` removes. */
export function startFolder(): { readonly fileOf: (name: string) => string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-hooks-'))
  return {
    fileOf: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
