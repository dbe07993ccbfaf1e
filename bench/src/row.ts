import type { Figure } from './measure/table.ts'
import type { DatabaseServer } from './stage/database.ts'
import type { Ending } from './stage/ending.ts'

/** What every row is given. */
export interface Bench {
  readonly database: DatabaseServer
  /** True: more rounds, larger sizes. */
  readonly long: boolean
  /** Ends what the row starts, also after a failure. */
  readonly ending: Ending
  /** Tells what is being done, for whoever waits. */
  say(line: string): void
}

/** A figure before its row is written to it. */
export type Finding = Omit<Figure, 'row'>

/** One row of the suite: measures something of ours beside its limit, in turns. */
export interface Row {
  readonly number: number
  readonly name: string
  run(bench: Bench): Promise<readonly Finding[]>
}
