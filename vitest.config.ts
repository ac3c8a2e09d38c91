import { configDefaults, defineConfig } from 'vitest/config'
import { reportSkipped } from './test/support/left-out.ts'

/** Pure functions and static checks: no database, no build, no browser. */
const UNIT = ['src/**/*.test.ts', 'test/console/**/*.test.ts']

/** Tests that run the compiled service as a process, or open the built console in a browser. */
const BUILT = ['test/{browser,clients,faults,process}/**/*.test.ts', 'test/{browser-setup,prometheus,watching}.test.ts']

/** Tests of a Citus cluster: they stop, kill and rebalance its servers, so nothing else may run on it meanwhile. */
const CLUSTER = ['test/cluster/**/*.test.ts']

/** Long variants of tests that `npm test` also has in a short form; `npm run faults` runs them. */
const LONG_ONLY = [
  'test/faults/{airtime,campaign,http,intake,margins,media,people,phone,restore,schedule,smpp,smpp-long-text,smpp-server}-kill.test.ts',
  'test/faults/{database,large,live-config,pepper-rotation,phone-cuts,recovery,smpp-chaos,smpp-flood}.test.ts',
]

const DATABASE = 'test/support/global-setup.ts'
const CONSOLE = 'test/support/console-setup.ts'
const BROWSER = 'test/support/browser-setup.ts'

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 240_000,
    // As long as `until` waits: a second is short on a machine with two cores and much to do.
    expect: { poll: { timeout: 30_000 } },
    // Twice the cores of a small machine: half of a test's time is waiting, for timers, browsers and databases.
    maxWorkers: 4,
    // Loading the service for each of 150 files would take longer than the tests; every file has its own database.
    isolate: false,
    // The projects compile the same modules.
    experimental: { fsModuleCache: true },
    reporters: ['default', reportSkipped()],
    projects: [
      { extends: true, test: { name: 'unit', include: UNIT } },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...UNIT, ...BUILT, ...CLUSTER],
          globalSetup: [DATABASE, CONSOLE],
        },
      },
      {
        extends: true,
        test: {
          name: 'built',
          include: BUILT,
          exclude: [...configDefaults.exclude, ...LONG_ONLY],
          globalSetup: [DATABASE, CONSOLE, BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: CLUSTER,
          // One file at a time, after those of the other projects.
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          globalSetup: [DATABASE],
        },
      },
    ],
  },
})
