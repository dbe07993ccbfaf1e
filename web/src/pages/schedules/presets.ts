import type { ScheduleOptions } from '@lodge/shared/schedules.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { newCondition, newTask, type TaskDraft } from './task-draft.ts'
import { type When, whenOf } from './when.ts'
import { t } from './words.ts'

export interface Preset {
  readonly id: string
  readonly name: string
  readonly about: string
  readonly when: When
  readonly tasks: readonly TaskDraft[]
}

const at = (cron: string): When => whenOf({ cron, intervalMinutes: null })
const isOn = { conditions: [newCondition('state')], otherwise: 'end' as const }

const nightlyBackup = (): Preset => ({
  id: 'backup',
  name: t.presetBackup,
  about: t.presetBackupText,
  when: at('30 3 * * *'),
  tasks: [{ ...newTask('1', 'backup'), keep: 7 }],
})

const ofContainers = (): readonly Preset[] => [
  {
    id: 'restart',
    name: t.presetRestart,
    about: t.presetRestartText,
    when: at('0 4 * * *'),
    tasks: [
      { ...newTask('1', 'command'), ...isOn, command: t.presetWarning },
      newTask('2', 'wait'),
      newTask('3', 'power'),
    ],
  },
  nightlyBackup(),
  {
    id: 'weekly',
    name: t.presetWeekly,
    about: t.presetWeeklyText,
    when: at('0 5 * * 1'),
    tasks: [
      { ...newTask('1', 'power'), conditions: [newCondition('state'), newCondition('players')] },
    ],
  },
]

const ofMachines = (): readonly Preset[] => [
  {
    id: 'restart',
    name: t.presetRestart,
    about: t.presetRebootText,
    when: at('0 4 * * *'),
    tasks: [{ ...newTask('1', 'power'), ...isOn }],
  },
  nightlyBackup(),
  {
    id: 'weekly',
    name: t.presetSnapshot,
    about: t.presetSnapshotText,
    when: at('0 5 * * 1'),
    tasks: [
      { ...newTask('1', 'power'), ...isOn, power: 'stop' },
      { ...newTask('2', 'snapshot'), keep: 4, continueOnFailure: true },
      { ...newTask('3', 'power'), power: 'start' },
    ],
  },
  {
    id: 'monthly',
    name: t.presetReminder,
    about: t.presetReminderText,
    when: at('0 9 1 * *'),
    tasks: [{ ...newTask('1', 'notify'), message: t.presetReminderMessage }],
  },
]

/** The most common schedules, filled in. */
export const presetsOf = ({ kind }: Pick<Server, 'kind'>): readonly Preset[] =>
  kind === 'vm' ? ofMachines() : ofContainers()

/** Why this server does not support a preset. */
export const whyNoPreset = (
  { tasks }: Preset,
  { actions }: Pick<ScheduleOptions, 'actions'>,
): string | undefined =>
  actions.find(
    (one) => one.unavailable !== null && tasks.some((task) => task.action === one.action),
  )?.unavailable ?? undefined
