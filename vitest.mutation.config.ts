import { defineConfig } from 'vitest/config'

/**
 * For Stryker: only the tests that know the mutated files well, because each mutant runs all of them. GANGAN_MUTATION
 * lists them, separated by commas; scripts/mutation.ts sets it.
 */
export default defineConfig({
  test: {
    include: (process.env.GANGAN_MUTATION ?? 'src/otp/judge.test.ts').split(','),
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    bail: 1,
  },
})
