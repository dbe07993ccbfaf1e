import type { User } from '../../../actor.ts'
import { Question } from '../../../answers.ts'
import type { Ctx } from '../../../context.ts'
import type { SharedServer } from '../access/access.ts'

export interface BackupAction {
  readonly action: 'backup' | 'restore'
  readonly backupId?: string | undefined
  readonly confirm?: boolean | undefined
  readonly backUpFirst?: boolean | undefined
  readonly force?: boolean | undefined
}

/** Backs up or restores a server; the caller has the permission that the action needs. */
export const backupAction = new Question<
  (ctx: Ctx<User>, server: SharedServer, given: BackupAction) => Promise<{ jobId: string }>
>('back up or restore a server')
