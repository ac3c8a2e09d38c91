import { configDefaults, defineConfig } from 'vitest/config'
import { tellLeftOut } from './test/support/left-out.ts'

/** Long ones of which `npm test` has others of the same kind: these run with `npm run faults`. */
const LONG_ONLY = [
  'test/faults/{airtime,campaign,http,intake,people,phone,restore,schedule,smpp,smpp-long-text,smpp-server}-kill.test.ts',
  'test/faults/{phone-cuts,smpp-chaos}.test.ts',
]

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...LONG_ONLY],
    globalSetup: ['test/support/global-setup.ts', 'test/support/browser-setup.ts', 'test/support/console-setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // As long as `until` waits: a second is short on a machine with two cores and much to do.
    expect: { poll: { timeout: 30_000 } },
    // Twice the cores of a small machine: half of a test's time is waiting, for timers, browsers and databases.
    maxWorkers: 4,
    // Loading the service for each of 150 files would take longer than the tests; every file has its own database.
    isolate: false,
    reporters: ['default', tellLeftOut()],
  },
})
