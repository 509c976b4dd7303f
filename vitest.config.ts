import { defineConfig } from 'vitest/config'

export default defineConfig({
  // graphql 16 ships CommonJS and ESM builds side by side; without this alias our imports and our
  // libraries' imports load different copies, and graphql refuses types of the other copy.
  resolve: { alias: { graphql: 'graphql/index.js' } },
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/clients/**'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
})
