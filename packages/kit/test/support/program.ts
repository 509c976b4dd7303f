import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** The modules of this package, compiled so that other processes can import them. `using` removes them. */
export function compileKit(): { readonly importOf: (name: string) => string } & Disposable {
  const place = mkdtempSync(join(tmpdir(), 'portolan-kit-'))
  const settings = ['-p', folder, '--outDir', place, '--tsBuildInfoFile', join(place, '.tsbuildinfo')]
  execFileSync(process.execPath, [compiler, ...settings])
  writeFileSync(join(place, 'package.json'), '{"type":"module"}')
  return {
    /** The specifier of a module, in quotes. */
    importOf: (name) => JSON.stringify(join(place, `${name}.js`)),
    [Symbol.dispose]: () => rmSync(place, { recursive: true }),
  }
}

/**
 * Runs a program, as the last arguments of another one if there is a `wrapper`. `ended` resolves to its code and its signal,
 * and `first` to the first text of its output.
 */
export function startProgram(source: string, argv: readonly string[] = [], wrapper: readonly string[] = []) {
  const node = [process.execPath, '--input-type=module', '-e', source, '--', ...argv]
  const [command = '', ...rest] = [...wrapper, ...node]
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text
  })
  const first = once(child.stdout, 'data').then(([text]) => String(text))
  const ended = once(child, 'close') as Promise<[number | null, string | null]>
  return { pid: child.pid ?? 0, kill: (signal: NodeJS.Signals) => child.kill(signal), texts, first, ended }
}

/** A folder for files, which `using` removes. */
export function startFolder(): { readonly fileOf: (name: string) => string } & Disposable {
  const place = mkdtempSync(join(tmpdir(), 'portolan-kit-'))
  return { fileOf: (name) => join(place, name), [Symbol.dispose]: () => rmSync(place, { recursive: true }) }
}
