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
  /** Acts as the author of the schedule, with their current rights. */
  readonly ctx: Ctx<User>
  readonly tools: StepTools
  readonly server: SharedServer
  readonly schedule: { readonly id: string; readonly name: string }
  readonly startedAt: Date
  /** Identifies this task's requests to nodes; the same on every attempt. */
  readonly name: string
  /**
   * Does something once, however often the task is resumed: in one transaction with the record of
   * what it made, which later attempts return.
   * @param part distinguishes several per task
   */
  once<Made extends object>(part: string, make: (ctx: Ctx<User>) => Promise<Made>): Promise<Made>
  /**
   * Waits for a job without occupying a worker.
   * @throws {Problem} unless the job succeeded
   */
  finished(job: Pick<JobRow, 'id' | 'generation'>): Promise<void>
}

/** An action of schedules. A lower domain adds one with a file in this folder. */
export interface TaskKind<A extends TaskAction = TaskAction> {
  readonly action: A
  /** Permissions that its author needs on the server, when choosing it and at every run. */
  may(task: TaskOf<A>): readonly ServerPermission[]
  /** Why this server does not support it; undefined if it does. */
  unavailable?(server: ServerView): string | undefined
  /**
   * Runs it; called again after a crash or a wait, until it returns.
   * @returns a note to show beside the result
   * @throws {Problem} if it failed, worded for people
   */
  run(task: TaskOf<A>, run: TaskRun): Promise<string | void>
}

/** Why a server has no files for tasks to work on; undefined if it has. */
export const noFiles = ({ kind }: ServerView): string | undefined =>
  kind === 'vm' ? 'Virtual machines keep their files on disks of their own' : undefined

export const taskKind = <const A extends TaskAction>(kind: TaskKind<A>): TaskKind<A> => kind
