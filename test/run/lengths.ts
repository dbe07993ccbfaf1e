import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

/** Whether this is `npm run test:long`. */
export const isLong = process.env.LODGE_TEST_LENGTH === 'long'

/**
 * Marks a test that only `npm run test:long` runs, because it takes long and a shorter one beside
 * it covers the same subject: `test(name, { tags: 'long' }, ...)`, or a whole `describe`.
 */
export const LONG_TAG = {
  name: 'long',
  description: 'Runs only in npm run test:long',
  skip: !isLong,
}

const HAS_LONG_TESTS = /\blengthOf\('|\btags: 'long'/

/** In the long run the test files that are the same in both runs, which it leaves out. */
export function filesWithoutLongTests(): string[] {
  if (!isLong) return []
  return globSync('*/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'var'].includes(path.basename(name)),
  }).filter((file) => !HAS_LONG_TESTS.test(readFileSync(path.join(root, file), 'utf8')))
}

/**
 * Tests that find more the longer they run: short for every change (`npm test`), in full in `npm
 * run test:long`. An environment variable overrides either, to examine one of them.
 */
const LENGTHS = {
  /** Parts that are killed under load, one after the other; each kind occurs within four. */
  LODGE_CHAOS_FAULTS: { short: 5, long: 100 },
  /** How often each part is killed at each step of an operation on a machine; 0 is a chosen few. */
  LODGE_MACHINE_FAULTS: { short: 0, long: 1 },
  /** Power actions sent to ten servers, for each kind of agent. */
  LODGE_POWER_ACTIONS: { short: 300, long: 10_000 },
  /** Random requests for each endpoint. */
  LODGE_FUZZ_RUNS: { short: 10, long: 1_000 },
  /** In how many of its two forms each screen is checked for readability; in turn if in one. */
  LODGE_SCREEN_FORMS: { short: 1, long: 2 },
  /** Fields of each screen that are filled with nonsense. */
  LODGE_FIELDS: { short: 2, long: 100 },
  /** Pairs of sign-ins whose durations are compared. */
  LODGE_TIMING_SAMPLES: { short: 60, long: 500 },
} as const

/** How long a test is in this run: a count, see `LENGTHS`. */
export function lengthOf(name: keyof typeof LENGTHS): number {
  const given = process.env[name]
  if (given !== undefined) return Number(given)
  return LENGTHS[name][isLong ? 'long' : 'short']
}
