import type { Figure } from './measure/table.ts'
import type { DatabaseServer } from './stage/database.ts'
import type { Ending } from './stage/ending.ts'

/** The tools of every row. */
export interface Bench {
  readonly database: DatabaseServer
  /** True: more rounds, larger sizes. */
  readonly long: boolean
  /** Ends what the row starts, also after a failure. */
  readonly ending: Ending
  /** Reports progress. */
  say(line: string): void
}

/** A result before its row's name is added. */
export type Finding = Omit<Figure, 'row'>

/** One row of the suite: measures Lodge and its limit, alternating. */
export interface Row {
  readonly number: number
  readonly name: string
  /** True: only measured when its number is given. */
  readonly onDemand?: boolean
  /** Its own limit of time. */
  readonly seconds?: number
  run(bench: Bench): Promise<readonly Finding[]>
}
