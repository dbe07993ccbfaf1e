import { Question } from '../../answers.ts'
import type { Db } from '../../db/database.ts'
import type { Services } from '../../services.ts'

/**
 * What these servers do while their node is cut off: a NodeSchedules document for each that has any.
 */
export const nodeSchedules = new Question<
  (db: Db, serverIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
>('what servers do while their node is cut off')

/** Stores NodeRun documents that a node has reported, in the transaction that counts its reports. */
export const runsOfNode = new Question<
  (services: Services, db: Db, nodeId: string, documents: readonly string[]) => Promise<void>
>('take runs of schedules by a node')
