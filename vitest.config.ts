import os from 'node:os'
import { defineConfig } from 'vitest/config'
import { ByBudget } from './test/run/order.ts'

// The times are for a machine that does much else beside: what is judged is the fact that is waited for.
const tests = '**/*.test.{ts,tsx}'
const setupFiles = './test/run/seed.ts'
const never = ['**/node_modules/**', '**/dist/**', 'var/**']
const cores = os.availableParallelism()

/** They keep nothing outside of themselves, so their files share the processes that run them. */
const units = ['web', 'shared'].map((room) => `${room}/${tests}`)

/** Folders whose tests own a Docker engine, a libvirt, a whole installation or a browser. */
const engineFolders = [
  'drivers/docker',
  'drivers/libvirt',
  ...['browser', 'chaos', 'real'].map((room) => `test/${room}`),
]
/** What lies there and owns none. */
const withoutEngine = [
  ...['parts', 'orphans'].map((name) => `drivers/docker/src/${name}.test.ts`),
  ...['copies/copy-file', 'domain/document', 'media/cache', 'media/headers', 'passage', 'sample']
    .concat('seed/cloud-seed')
    .map((name) => `drivers/libvirt/src/${name}.test.ts`),
]
const engines = engineFolders.map((folder) => `${folder}/${tests}`)

/** As `until` waits: the default of a second is too short on a busy machine. */
const expect = { poll: { timeout: 20_000 } }

/** They wait more than they reckon, so there are more of them at once than cores. */
const without = {
  setupFiles,
  expect,
  maxWorkers: cores * 2,
  testTimeout: 180_000,
  hookTimeout: 180_000,
  sequence: { groupOrder: 0 },
}

export default defineConfig({
  test: {
    globalSetup: './test/run/global-setup.ts',
    reporters: ['default', './test/run/run-reporter.ts', './tools/plain-reporter.mjs'],
    sequence: { sequencer: ByBudget },
    projects: [
      { test: { name: 'units', include: units, exclude: never, isolate: false, ...without } },
      {
        test: {
          name: 'light',
          include: [tests],
          exclude: [...never, ...units, ...engineFolders.map((folder) => `${folder}/${tests}`)],
          ...without,
          setupFiles: [setupFiles, './test/run/lock-order.ts'],
        },
      },
      {
        test: { name: 'drivers', include: withoutEngine, exclude: never, ...without },
      },
      {
        test: {
          name: 'engines',
          include: engines,
          exclude: [...never, ...withoutEngine],
          setupFiles,
          expect,
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
