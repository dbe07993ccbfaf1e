import type { Actor } from '../../actor.ts'
import type { Db } from '../../db/database.ts'

/** Who requests a job, and in which transaction. */
export interface Within {
  readonly db: Db
  readonly actor: Actor
}
