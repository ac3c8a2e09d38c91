import { defineConfig } from 'vitest/config'
import type { Reporter, RunnerTestFile } from 'vitest/node'

/**
 * Stryker asks the tests alone. A file that can no longer be loaded, or whose `beforeAll` fails, has noticed the mutant
 * just as well, so its fault is put down as that of one more test.
 */
function tellOfFiles(): Reporter {
  let filesOf: () => RunnerTestFile[] = () => []
  return {
    onInit(vitest) {
      filesOf = () => vitest.state.getFiles()
    },
    onTestRunEnd() {
      for (const file of filesOf()) {
        const { result } = file
        if (!result?.errors?.length) continue
        const task = { type: 'test', id: 'the file', name: 'the file', mode: 'run', meta: {}, file, result }
        const tasks: object[] = file.tasks // of a task Stryker reads no more than this one has
        tasks.push(task)
      }
    },
  }
}

/**
 * For Stryker: only the tests that know the mutated files well, because each mutant runs all of them. GANGAN_MUTATION
 * lists them, separated by commas; scripts/mutation.ts sets it.
 */
export default defineConfig({
  test: {
    include: (process.env.GANGAN_MUTATION ?? 'src/otp/judge.test.ts').split(','),
    globalSetup: ['test/support/global-setup.ts'],
    reporters: [tellOfFiles()],
    // A mutant that nothing comes of would wait as long as a condition may take on a busy machine.
    testTimeout: 10_000,
    hookTimeout: 10_000,
    maxWorkers: 1,
    bail: 1,
  },
})
