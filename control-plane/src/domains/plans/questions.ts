import type { ServerPreset } from '@lodge/shared/plans.ts'
import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'

/**
 * Validates the server preset of a plan and returns the faults by field. The domain of servers
 * answers.
 */
export const faultsOfPreset = new Question<
  (db: Db, preset: ServerPreset) => Promise<{ pointer: string; detail: string }[]>
>('faults of a plan’s server')
