import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A package as npm packs it. `using` removes what was written for it. */
export interface Packed extends Disposable {
  /** Where its files are, compiled. */
  readonly folder: string
  /** The bytes of its archive. */
  readonly size: number
  /** The names of the files in it. */
  readonly files: readonly string[]
}

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/**
 * Compiles a package into a folder of its own, so that nobody reads files that are half written, and asks npm what the
 * archive of that has. Its dependencies are found from there.
 */
export function packed(folder: string): Packed {
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  const place = mkdtempSync(join(folder, 'node_modules', '.packed-'))
  const remove = () => rmSync(place, { recursive: true })
  try {
    const dist = join(place, 'dist')
    const buildInfo = join(dist, '.tsbuildinfo')
    const settings = ['-p', folder, '--outDir', dist, '--tsBuildInfoFile', buildInfo]
    const kit = join(folder, 'tsconfig.kit.json')
    if (existsSync(kit)) {
      execFileSync(process.execPath, [compiler, '-b', kit])
      cpSync(join(folder, 'dist/kit'), join(dist, 'kit'), { recursive: true })
    }
    execFileSync(process.execPath, [compiler, ...settings])
    for (const name of ['package.json', 'README.md']) cpSync(join(folder, name), join(place, name))
    const asked = ['pack', '--dry-run', '--json', '--ignore-scripts']
    const [report] = JSON.parse(String(execFileSync('npm', asked, { cwd: place, stdio: 'pipe' })))
    const files = report.files.map(({ path }: { path: string }) => path)
    return { folder: place, size: report.size, files, [Symbol.dispose]: remove }
  } catch (error) {
    remove()
    throw error
  }
}
