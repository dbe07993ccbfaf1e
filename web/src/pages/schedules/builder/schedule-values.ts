import { cronProblem } from '@lodge/shared/cron/expression.ts'
import { CreateSchedule, type Schedule } from '@lodge/shared/schedules.ts'
import type { Preset } from '../presets.ts'
import { type TaskDraft, taskBody, taskDraft } from '../task-draft.ts'
import { timingOf, type When, whenOf } from '../when.ts'
import { t } from '../words.ts'

/** The fields of the builder. */
export interface Values {
  readonly name: string
  readonly when: When
  readonly timezone: string
  readonly tasks: readonly TaskDraft[]
  readonly missed: Schedule['missed']
  readonly enabled: boolean
}

export const labelOf = (field: keyof Values): string =>
  ({
    name: t.name,
    when: t.when,
    timezone: t.timezone,
    tasks: t.tasks,
    missed: t.missedRuns,
    enabled: t.enabled,
  })[field]

export const valuesOf = (schedule: Schedule): Values => ({
  name: schedule.name ?? '',
  when: whenOf(schedule),
  timezone: schedule.timezone,
  tasks: schedule.tasks.map((task, at) => taskDraft(task, String(at))),
  missed: schedule.missed,
  enabled: schedule.enabled,
})

export const newValues = (preset: Preset | undefined, timezone: string): Values => ({
  name: preset?.name ?? '',
  when: preset?.when ?? whenOf({ cron: '0 4 * * *', intervalMinutes: null }),
  timezone,
  tasks: preset?.tasks ?? [],
  missed: 'skip',
  enabled: true,
})

/** Validates before sending, so that a wrong expression is reported immediately. */
export const Checked = CreateSchedule.superRefine(({ cron }, { addIssue }) => {
  const problem = cron === undefined ? undefined : cronProblem(cron)
  if (problem !== undefined) addIssue({ code: 'custom', path: ['cron'], message: problem })
})

export const bodyOf = ({ name, when, timezone, tasks, missed, enabled }: Values): unknown => ({
  name: name.trim() === '' ? null : name,
  ...timingOf(when),
  timezone,
  tasks: tasks.map(taskBody),
  missed,
  enabled,
})
