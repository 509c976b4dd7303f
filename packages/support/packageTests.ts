import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Sources are read as they were written, not as they were built. */
const conditions = ['@portolan/source', 'node', 'module-sync', 'development']

/** How the tests of a package run. */
export const packageTests = defineConfig({
  // graphql 16 has two builds, and refuses types of the other one.
  resolve: { alias: { graphql: 'graphql/index.js' }, conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: [join(import.meta.dirname, 'seed.ts')],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
})
