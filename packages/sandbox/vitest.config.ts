import { defineConfig } from 'vitest/config'

/** Sources are read as they were written, not as they were built. */
const conditions = ['@portolan/source', 'node', 'module-sync', 'development']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['../support/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
