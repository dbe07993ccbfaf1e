import type { Fixture } from './program.ts'
import type { EventWatch } from './watch.ts'

/** What the tests of one suite share. */
export interface Bench {
  fixture(): Fixture
  events(): EventWatch
  /** Aborts at the end of the suite. */
  readonly signal: AbortSignal
  /** A server id that no other test uses. */
  freshId(): string
}
