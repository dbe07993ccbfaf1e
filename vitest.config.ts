import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { filesWithoutLongTests, LONG_TAG } from './test/run/lengths.ts'
import { ByBudget } from './test/run/order.ts'
import { PATIENCE_MS } from './test/run/patience.ts'

// The times are for a machine that does much else beside: what is judged is the fact that is waited for.
const tests = '**/*.test.{ts,tsx}'
const setupFiles = ['./test/run/own-cpu.ts', './test/run/seed.ts']
const never = ['**/node_modules/**', '**/dist/**', 'var/**', ...filesWithoutLongTests()]
const cores = os.availableParallelism()

/** Tests that own a Docker engine, a libvirt, a whole installation or a browser: all of these folders but the few named. */
const engines = [
  'drivers/docker/**/!(orphans|parts).test.ts',
  'drivers/libvirt/**/!(cache|cloud-seed|copy-file|data|document|headers|passage|sample).test.ts',
  ...['browser', 'chaos', 'real'].map((kind) => `test/${kind}/${tests}`),
]
/**
 * Loading the product costs more than most files take, so the files share the processes that run
 * them: a test may change nothing of its process.
 */
const isolate = false
/** A sixteenth of the machine's memory for each process that runs tests, and no more than they use. */
const heapMb = Math.min(1_024, Math.floor(os.totalmem() / 2 ** 20 / 16))
/**
 * Each file makes much that it soon drops, and the loaded product stays: a nursery that is large from
 * the start, and full collections of garbage that begin later, save a seventh of the CPU.
 */
const execArgv = [
  '--min-semi-space-size=64',
  '--max-semi-space-size=64',
  '--no-memory-reducer',
  `--initial-old-space-size=${heapMb}`,
]
/** As `until` waits: the default of a second is too short on a busy machine. */
const expect = { poll: { timeout: PATIENCE_MS } }
/** A test that fails in CI is run once more, and the report lists it: it is to be mended. */
const retry = process.env.CI ? 1 : 0

export default defineConfig({
  test: {
    globalSetup: './test/run/global-setup.ts',
    reporters: ['default', './test/run/run-reporter.ts', './tools/plain-reporter.mjs'],
    sequence: { sequencer: ByBudget },
    tags: [LONG_TAG],
    projects: [
      {
        test: {
          name: 'light',
          include: [tests],
          exclude: [...never, ...engines],
          setupFiles: [...setupFiles, './test/run/lock-order.ts', './test/run/undisturbed.ts'],
          isolate,
          execArgv,
          expect,
          retry,
          // They wait more than they reckon, so there are more of them at once than cores.
          maxWorkers: Math.ceil(cores * 2.5),
          testTimeout: 480_000,
          hookTimeout: 480_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'engines',
          include: engines,
          exclude: never,
          setupFiles: [
            ...setupFiles,
            './test/run/undisturbed.ts',
            './test/run/host-network.ts',
            './test/run/open-pages.ts',
          ],
          isolate,
          execArgv,
          expect,
          retry,
          // Each file has engines, names and a network of its own, or waits for its turn; one more than
          // the cores, because they wait for engines, time-outs and grace periods.
          maxWorkers: Math.max(3, Math.min(cores + 1, 5)),
          testTimeout: 480_000,
          // Long enough to wait for a turn as well.
          hookTimeout: 600_000,
          teardownTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
