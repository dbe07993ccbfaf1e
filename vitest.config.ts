import { defineConfig } from 'vitest/config'

// The times are for a machine that does much else beside: what is judged is the fact that is waited for.
// Tests that own a Docker engine, a libvirt, a whole stack or a browser: one file at a time.
const heavy = [
  'drivers/docker/**',
  'drivers/libvirt/**',
  ...['browser', 'chaos', 'fault', 'newcomer', 'real', 'start'].map((room) => `test/${room}/**`),
]
const tests = '**/*.test.{ts,tsx}'
const setupFiles = './test/seed.ts'
const never = ['**/node_modules/**', '**/dist/**', 'var/**']

export default defineConfig({
  test: {
    globalSetup: './test/global-setup.ts',
    reporters: ['default', './tools/plain-reporter.mjs'],
    projects: [
      {
        test: {
          name: 'light',
          include: [tests],
          exclude: [...never, ...heavy],
          setupFiles,
          maxWorkers: 2,
          testTimeout: 180_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'heavy',
          include: heavy.map((folder) => folder.replace('**', tests)),
          exclude: never,
          setupFiles,
          fileParallelism: false,
          testTimeout: 480_000,
          hookTimeout: 300_000,
          teardownTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
