import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../engine/telemetry/log.ts'

/** The program that builds the documentation. Only a clone has it. */
const script = fileURLToPath(new URL('../../../scripts/prepare.mjs', import.meta.url))

/** Builds the documentation of a clone in a process of its own. */
export interface DocsBuild {
  run(): Promise<void>
  /** Ends a build that runs. */
  stop(): void
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid)
  } catch {
    // It has ended just now.
  }
}

/** Undefined where nothing can be built, such as in the published package. */
export function openDocsBuild(log: Log): DocsBuild | undefined {
  if (!existsSync(script)) return undefined
  let stop = () => {}
  return {
    run: () =>
      new Promise((resolve, reject) => {
        log.info('building the documentation')
        // A group of its own, since npm has children.
        const child = spawn(process.execPath, [script, 'docs'], { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
        let errors = ''
        child.stderr.on('data', (text) => {
          errors = `${errors}${text}`.slice(-2_000)
        })
        stop = () => endGroup(child)
        child.once('error', reject)
        child.once('close', (code) => {
          stop = () => {}
          if (code === 0) return resolve()
          log.warn({ code, errors }, 'the documentation could not be built')
          reject(new Error('The documentation could not be built.'))
        })
      }),
    stop: () => stop(),
  }
}
