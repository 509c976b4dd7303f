import { defineConfig } from 'vitest/config'

/** Sources are read as they were written, not as they were built. */
const conditions = ['@portolan/source', 'module', 'browser', 'development']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions: ['@portolan/source', 'node', 'module-sync', 'development'] } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    // Tests that mostly wait run three at once. More would be late on two cores.
    maxConcurrency: 3,
  },
})
