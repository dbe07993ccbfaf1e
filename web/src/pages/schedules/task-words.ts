import type { POWER_TASKS, ScheduleTask, TaskAction } from '@lodge/shared/schedules.ts'
import Archive from 'lucide-react/icons/archive'
import Bell from 'lucide-react/icons/bell'
import Camera from 'lucide-react/icons/camera'
import FileArchive from 'lucide-react/icons/file-archive'
import FileX from 'lucide-react/icons/file-x'
import Hourglass from 'lucide-react/icons/hourglass'
import Power from 'lucide-react/icons/power'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import { waitOf } from './task-draft.ts'
import { t } from './words.ts'

export const TASK_ICONS = {
  power: Power,
  command: SquareTerminal,
  wait: Hourglass,
  notify: Bell,
  snapshot: Camera,
  backup: Archive,
  deleteFiles: FileX,
  archiveFiles: FileArchive,
} satisfies Record<TaskAction, unknown>

export const actionName = (action: TaskAction): string =>
  ({
    power: t.power,
    command: t.command,
    wait: t.wait,
    notify: t.notify,
    snapshot: t.snapshot,
    backup: t.backup,
    deleteFiles: t.deleteFiles,
    archiveFiles: t.archiveFiles,
  })[action]

export const powerName = (power: (typeof POWER_TASKS)[number]): string =>
  ({ start: t.start, stop: t.stop, restart: t.restart, kill: t.kill })[power]

/** A task in a few words. */
export function taskWords(task: ScheduleTask): string {
  switch (task.action) {
    case 'power':
      return powerName(task.power)
    case 'command':
      return t.commandOf({ line: task.command })
    case 'wait':
      return t.waitOf(waitOf(task.seconds))
    default:
      return actionName(task.action)
  }
}
