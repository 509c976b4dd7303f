import { defineConfig } from 'vitest/config'

/** The packages of this repository are read as they were written, not as they were built. */
const conditions = ['@portolan/source', 'node', 'module-sync', 'development']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 },
})
