import { defineConfig } from 'vitest/config'

export default defineConfig({
  // graphql 16 has two builds, and refuses types of the other one. The gateway's own tests do the same.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.{ts,tsx}'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
})
