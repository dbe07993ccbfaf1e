import type { ScheduleTask } from '@lodge/shared/schedules.ts'
import type { User } from '../../actor.ts'
import { Problem } from '../../problem.ts'
import { requireRight, type SharedServer } from '../servers/index.ts'
import { rightsFor, whyUnavailable } from './tasks/index.ts'

/**
 * Refuses tasks that the caller may not do themselves.
 * @throws {Problem} task_not_available or permission_required, naming the task
 */
export function requireTasks(
  author: User,
  server: SharedServer,
  tasks: readonly ScheduleTask[],
): void {
  for (const [at, task] of tasks.entries()) {
    const why = whyUnavailable(task.action, server)
    if (why !== undefined)
      throw new Problem('task_not_available', `Task ${at + 1}: ${why}`, {
        fields: { errors: [{ pointer: `/tasks/${at}/action`, detail: why }] },
      })
    for (const right of rightsFor(task)) requireRight(author, server, right)
  }
}
