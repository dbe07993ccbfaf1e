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

const HAS_LONG_TESTS = /\blengthOf\('|\btags: 'long'|\bexpect(Screen|ReadableInTurn)\(/

/** For the long run: the test files that are the same in both runs, which it leaves out. */
export function filesWithoutLongTests(): string[] {
  if (!isLong) return []
  return globSync('*/**/*.test.{ts,tsx}', {
    cwd: root,
    exclude: (name) => ['node_modules', 'dist', 'var'].includes(path.basename(name)),
  }).filter((file) => !HAS_LONG_TESTS.test(readFileSync(path.join(root, file), 'utf8')))
}

/**
 * Tests that find more the longer they run: short for every change (`npm test`), complete in `npm run
 * test:long`. An environment variable overrides one of them, to examine it.
 */
const LENGTHS = {
  /** Seconds that a hostile server races against the file service. */
  LODGE_FILE_RACE_SECONDS: { short: 2, long: 60 },
  /** Parts that are killed under load, one after the other; each kind occurs within four. */
  LODGE_CHAOS_FAULTS: { short: 4, long: 100 },
  /** How often each part is killed at each step of an operation on a machine; 0 is a chosen few. */
  LODGE_MACHINE_FAULTS: { short: 0, long: 1 },
  /** Power actions sent to ten servers, for each kind of agent. */
  LODGE_POWER_ACTIONS: { short: 100, long: 10_000 },
  /** Power actions sent to six servers on a real engine. */
  LODGE_ENGINE_ACTIONS: { short: 40, long: 500 },
  /** Schedules due at the same minute. */
  LODGE_DUE_SCHEDULES: { short: 600, long: 10_000 },
  /** Times that the connection of a node breaks around the time at which a schedule is due. */
  LODGE_ALONE_ROUNDS: { short: 2, long: 300 },
  /** How often an agent is killed while it runs a schedule on its own. */
  LODGE_ALONE_KILLS: { short: 2, long: 200 },
  /** Parts that are killed while a server moves between two nodes. */
  LODGE_MOVE_KILLS: { short: 3, long: 60 },
  /** Random requests for each endpoint. */
  LODGE_FUZZ_RUNS: { short: 4, long: 1_000 },
  /** Kinds of ended sessions, wrong credentials and tokens beside a cookie that each endpoint is called with; in turn if not all. */
  LODGE_MATRIX_KINDS: { short: 1, long: 100 },
  /** In how many of its two forms each screen is checked for readability; in turn if in one. */
  LODGE_SCREEN_FORMS: { short: 1, long: 2 },
  /** Small files of a folder that is uploaded in a browser: more than it shows at once. */
  LODGE_UPLOADED_FILES: { short: 100, long: 500 },
  /** Rows of a list that is longer than a window. */
  LODGE_LIST_ROWS: { short: 10_000, long: 100_000 },
  /** Kinds of faults at each step of a saga, and at each undo; in turn if not all. */
  LODGE_SAGA_FAULTS: { short: 1, long: 3 },
  /** Texts that lead out of a folder, which each endpoint is asked for; in turn if not all. */
  LODGE_WAYS_OUT: { short: 16, long: 1_000 },
  /** Tickets that are opened in a simulated hour of the support desk. */
  LODGE_DESK_TICKETS: { short: 40, long: 833 },
  /** Subscriptions that live through a year of billing. */
  LODGE_YEAR_SUBSCRIPTIONS: { short: 6, long: 1_000 },
  /** Events of a payment provider that come shuffled, some of them twice. */
  LODGE_PROVIDER_EVENTS: { short: 60, long: 10_000 },
  /** Fields of each screen that are filled with nonsense. */
  LODGE_FIELDS: { short: 2, long: 100 },
  /** Schedules of faults that the rules of leases are held against. */
  LODGE_LEASE_SEEDS: { short: 10_000, long: 1_000_000 },
  /** Rounds in which about 1.4 faults strike two control planes, PostgreSQL and three nodes; every second round loses a node. */
  LODGE_NEMESIS_ROUNDS: { short: 3, long: 175 },
  /** How many such fleets are struck at the same time: they mostly wait for leases to end. */
  LODGE_NEMESIS_FLEETS: { short: 1, long: 4 },
  /** One in how many screens besides the main ones is opened on the walk that checks everything. */
  LODGE_SCREENS_IN_TURN: { short: 8, long: 1 },
  /** Pairs of sign-ins whose durations are compared. */
  LODGE_TIMING_SAMPLES: { short: 60, long: 500 },
  /** One in how many screens is opened in each other language. */
  LODGE_SCREENS_PER_LANGUAGE: { short: 8, long: 1 },
} as const

/** A different subset of cases for each of many places; the long run has all of them. */
export function inTurn<T>(cases: readonly T[], turn: number, count: number): readonly T[] {
  return cases.filter(
    (_, at) => (((at - turn) % cases.length) + cases.length) % cases.length < count,
  )
}

/** The length of a test in this run: a count, see `LENGTHS`. */
export function lengthOf(name: keyof typeof LENGTHS): number {
  const given = process.env[name]
  if (given !== undefined) return Number(given)
  return LENGTHS[name][isLong ? 'long' : 'short']
}
