import type { ScheduleTask, TaskAction } from '@lodge/shared/schedules.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import type { ServerView } from '../../servers/index.ts'
import { archiveFiles } from './archive-files.ts'
import { backup } from './backup.ts'
import { command } from './command.ts'
import { deleteFiles } from './delete-files.ts'
import { notifyOwner } from './notify-owner.ts'
import { power } from './power.ts'
import { snapshot } from './snapshot.ts'
import type { TaskKind } from './task-kind.ts'
import { wait } from './wait.ts'

/** What schedules can do. */
const kinds: { readonly [A in TaskAction]: TaskKind<A> } = {
  power,
  command,
  wait,
  notify: notifyOwner,
  snapshot,
  backup,
  deleteFiles,
  archiveFiles,
}

/** The kind of a task, typed for that task. */
export const kindOf = ({ action }: Pick<ScheduleTask, 'action'>): TaskKind =>
  kinds[action] as TaskKind

/** Why a server does not support tasks of this action; undefined if it does. */
export const whyUnavailable = (action: TaskAction, server: ServerView): string | undefined =>
  kindOf({ action }).unavailable?.(server)

/** Everything that the author of a task must be allowed to do on the server. */
export function rightsFor(task: ScheduleTask): ServerPermission[] {
  const own = kindOf(task).may(task as never)
  // Otherwise conditions would reveal the server's output to people who may not read it.
  const reads = task.conditions.some(({ about }) => about === 'output')
  return [...own, ...(reads ? (['console.read'] as const) : [])]
}
