import type { ScheduleTask, TaskAction } from '@lodge/shared/schedules.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import type { JobRow } from '../../../jobs/board/tables.ts'
import type { StepTools } from '../../../jobs/sagas/saga.ts'
import type { ServerView, SharedServer } from '../../servers/index.ts'

export type TaskOf<A extends TaskAction> = Extract<ScheduleTask, { action: A }>

/** What a task needs while it runs. */
export interface TaskRun {
  /** Acts as the author of the schedule, with the rights that this person has now. */
  readonly ctx: Ctx<User>
  readonly tools: StepTools
  readonly server: SharedServer
  readonly schedule: { readonly id: string; readonly name: string }
  readonly startedAt: Date
  /** Distinguishes what this task asks of nodes; the same on every attempt. */
  readonly name: string
  /**
   * Does something once, however often the task is resumed: in one transaction with the record of
   * what it made, which later attempts get instead.
   * @param part distinguishes several of one task
   */
  once<Made extends object>(part: string, make: (ctx: Ctx<User>) => Promise<Made>): Promise<Made>
  /**
   * Waits for a job without a worker.
   * @throws {Problem} if it ended in any other way than done
   */
  finished(job: Pick<JobRow, 'id' | 'generation'>): Promise<void>
}

/** Something that schedules can do. A domain below offers one by a file of this folder. */
export interface TaskKind<A extends TaskAction = TaskAction> {
  readonly action: A
  /** What its author must be allowed to do on the server, when choosing it and at every run. */
  may(task: TaskOf<A>): readonly ServerPermission[]
  /** Why this server cannot do it; undefined if it can. */
  unavailable?(server: ServerView): string | undefined
  /**
   * Does it; called again after a crash or a wait, until it returns.
   * @returns what to show beside it
   * @throws {Problem} if it failed, with words for people
   */
  run(task: TaskOf<A>, run: TaskRun): Promise<string | void>
}

/** Why a server has no files that tasks could work on; undefined if it has. */
export const noFiles = ({ kind }: ServerView): string | undefined =>
  kind === 'vm' ? 'Virtual machines keep their files on disks of their own' : undefined

export const taskKind = <const A extends TaskAction>(kind: TaskKind<A>): TaskKind<A> => kind
