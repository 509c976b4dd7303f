import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '../../packages/sandbox/src/sandbox.ts'

/** A chain registry in a file, which is removed at the end of the scope. */
export interface RegistryFile extends Disposable {
  readonly path: string
  /** Makes it list the first chains of the sandbox, so many of them. */
  list(count: number): void
  write(text: string): void
}

/** Creates a registry that lists the first chain of a sandbox. */
export function createRegistryFile({ indexers }: Sandbox): RegistryFile {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-'))
  const path = join(folder, 'chains.json')
  const write = (text: string) => writeFileSync(path, text)
  const list = (count: number) => {
    const chains = indexers.slice(0, count).map(({ chainId, url }) => ({
      chain_id: chainId,
      apis: { indexer: [{ address: url }] },
    }))
    write(JSON.stringify(chains))
  }
  list(1)
  return { path, list, write, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}
