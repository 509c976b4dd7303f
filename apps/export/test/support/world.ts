import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxChains } from '../../../../packages/sandbox/src/chains.ts'
import { startTestGateway, type TestGateway } from '../../../../src/testing.ts'
import { type ExportCliIo, runExport } from '../../src/cli.ts'

/** The moment tests play at. */
export const now = Date.UTC(2026, 10, 21, 12)

/** The account that the sandbox gives most to do. */
export const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

/** A gateway over a sandbox whose chains are young, so that a test can read all of them. */
export const startWorld = (options: Parameters<typeof startTestGateway>[0] = {}): Promise<TestGateway> =>
  startTestGateway({
    date: now,
    chains: sandboxChains.map((chain) => ({ ...chain, genesis: now - 300 * chain.blockTime })),
    ...options,
  })

/** What a command line wrote, and how it ended. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  /** The waits that it asked for, in milliseconds. */
  readonly waits: readonly number[]
}

/** Runs a command line without a clock of its own: each wait is over at once. */
export async function run(
  argv: readonly string[],
  { signal = new AbortController().signal, now: time = () => now, isTerminal = false }: Partial<ExportCliIo> = {},
): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const waits: number[] = []
  const code = await runExport(argv, {
    env: {},
    now: time,
    async wait(milliseconds) {
      waits.push(milliseconds)
    },
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    isTerminal,
    signal,
  })
  return { code, out: out.join(''), err: err.join(''), waits }
}

/** A folder for files, which `using` removes. */
export function startFolder(): { readonly fileOf: (name: string) => string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'portolan-export-'))
  return {
    fileOf: (name) => join(folder, name),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

export const textOf = (file: string): string => readFileSync(file, 'utf8')

/** The objects of a file of NDJSON. */
export const objectsOf = (file: string): readonly Record<string, unknown>[] =>
  textOf(file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
