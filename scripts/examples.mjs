// Runs the documents of examples/documents and the operations of the pages against the sandbox, and writes what each
// costs into docs/screens.md and below the operations. The runs are those of the tests, on their clock, so that the
// tests can compare the figures with new runs.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/examples.test.ts', 'test/docs'],
  {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: 'inherit',
    env: { ...process.env, WRITE_EXAMPLES: 'true' },
  },
)
process.exit(status ?? 1)
