import { defineConfig } from 'vitest/config'

// graphql 16 has two builds, and refuses types of the other one. The gateway's own tests do the same.
const graphql = { find: 'graphql', replacement: 'graphql/index.js' }
const react18 = new URL('../react18/node_modules/', import.meta.url).pathname

/** The words are read as they were written, not as they were built. */
const conditions = ['@portolan/source', 'module', 'browser', 'development']

const shared = {
  setupFiles: ['test/seed.ts'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
  maxWorkers: 2,
}

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias: [graphql], conditions },
        ssr: {
          resolve: { conditions: ['@portolan/source', 'node', 'module-sync', 'development'] },
        },
        test: { ...shared, name: 'plain', include: ['test/**/*.test.{ts,tsx}'] },
      },
      {
        resolve: {
          alias: [graphql, { find: /^react(-dom)?(?=\/|$)/, replacement: `${react18}react$1` }],
        },
        test: { ...shared, name: 'react18', include: ['test/**/*.test.tsx'] },
      },
    ],
  },
})
