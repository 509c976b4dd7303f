import { defineConfig } from 'vitest/config'

export default defineConfig({
  // graphql 16 ships CommonJS and ESM builds side by side; without this alias our imports and our
  // libraries' imports load different copies, and graphql refuses types of the other copy.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/clients/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // By default one core stays idle, which doubles the time on two cores.
    maxWorkers: '100%',
    // The files of a worker share their modules, so that each worker loads the schema once. This is
    // safe because no module of ours holds state.
    isolate: false,
    // Some tests read thousands of pages: report only what is unusually slow.
    slowTestThreshold: 15_000,
  },
})
