import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    // Tests that mostly wait run three at once. More would be late on two cores.
    maxConcurrency: 3,
  },
})
