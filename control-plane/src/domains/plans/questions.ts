import type { ServerPreset } from '@lodge/shared/plans.ts'
import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/** What is wrong with the server of a plan, by field. Answered by the domain of servers. */
export const faultsOfPreset = new Question<
  (db: Db, preset: ServerPreset) => Promise<{ pointer: string; detail: string }[]>
>('faults of a plan’s server')
