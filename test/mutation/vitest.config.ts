import { defineConfig } from 'vitest/config'
import config from '../../vitest.config.ts'

/** The tests that are to find a mutant: those beside the mutated folders, not those through the graph. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    projects: undefined,
    include: ['test/kit/**/*.test.ts', 'test/engine/{pagination,upstream,watch,wire}/**/*.test.ts'],
  },
})
