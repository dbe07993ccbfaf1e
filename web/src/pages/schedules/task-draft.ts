import type { ScheduleTask, TaskAction, TaskCondition } from '@lodge/shared/schedules.ts'

export const WAIT_SECONDS = { seconds: 1, minutes: 60, hours: 3_600 } as const
export type WaitUnit = keyof typeof WAIT_SECONDS

export interface ConditionDraft {
  readonly about: TaskCondition['about']
  readonly in: readonly string[]
  readonly compare: 'atLeast' | 'atMost'
  /** A number of players, or a percentage. */
  readonly amount: number | undefined
  readonly contains: string
  readonly lines: number
}

/** A task in the form: with the fields of every action, so that switching loses nothing. */
export interface TaskDraft {
  /** Identifies the task while it is moved. */
  readonly key: string
  readonly action: TaskAction
  readonly power: Extract<ScheduleTask, { action: 'power' }>['power']
  readonly command: string
  readonly amount: number | undefined
  readonly unit: WaitUnit
  readonly message: string
  readonly name: string
  readonly keep: number | undefined
  readonly paths: string
  readonly to: string
  readonly format: Extract<ScheduleTask, { action: 'archiveFiles' }>['format']
  readonly conditions: readonly ConditionDraft[]
  readonly otherwise: ScheduleTask['otherwise']
  readonly continueOnFailure: boolean
}

export const newCondition = (about: ConditionDraft['about']): ConditionDraft => ({
  about,
  in: ['running'],
  compare: about === 'players' ? 'atMost' : 'atLeast',
  amount: about === 'players' ? 0 : 90,
  contains: '',
  lines: 100,
})

export const newTask = (key: string, action: TaskAction): TaskDraft => ({
  key,
  action,
  power: 'restart',
  command: '',
  amount: 5,
  unit: 'minutes',
  message: '',
  name: '',
  keep: undefined,
  paths: '',
  to: '/',
  format: 'tar.gz',
  conditions: [],
  otherwise: 'skip',
  continueOnFailure: false,
})

function conditionDraft(condition: TaskCondition): ConditionDraft {
  const draft = newCondition(condition.about)
  switch (condition.about) {
    case 'state':
      return { ...draft, in: condition.in }
    case 'output':
      return { ...draft, contains: condition.contains, lines: condition.lines }
    case 'players':
      return { ...draft, compare: condition.compare, amount: condition.count }
    default:
      return { ...draft, compare: condition.compare, amount: condition.percent }
  }
}

/** A duration in the largest unit in which it is whole. */
export const waitOf = (seconds: number): { readonly amount: number; readonly unit: WaitUnit } => {
  const unit = seconds % 3_600 === 0 ? 'hours' : seconds % 60 === 0 ? 'minutes' : 'seconds'
  return { unit, amount: seconds / WAIT_SECONDS[unit] }
}

export function taskDraft(task: ScheduleTask, key: string): TaskDraft {
  const { conditions, otherwise, continueOnFailure } = task
  const draft = {
    ...newTask(key, task.action),
    conditions: conditions.map(conditionDraft),
    otherwise,
    continueOnFailure,
  }
  switch (task.action) {
    case 'power':
      return { ...draft, power: task.power }
    case 'command':
      return { ...draft, command: task.command }
    case 'wait':
      return { ...draft, ...waitOf(task.seconds) }
    case 'notify':
      return { ...draft, message: task.message }
    case 'snapshot':
    case 'backup':
      return { ...draft, name: task.name ?? '', keep: task.keep }
    case 'deleteFiles':
      return { ...draft, paths: task.paths.join('\n') }
    case 'archiveFiles':
      return {
        ...draft,
        paths: task.paths.join('\n'),
        to: task.to,
        format: task.format,
        keep: task.keep,
      }
  }
}

function conditionBody({ about, compare, amount, contains, lines, ...rest }: ConditionDraft) {
  switch (about) {
    case 'state':
      return { about, in: rest.in }
    case 'output':
      return { about, contains, lines }
    case 'players':
      return { about, compare, count: amount }
    default:
      return { about, compare, percent: amount }
  }
}

/** Removes a trailing slash. */
const pathOf = (line: string): string => line.trim().replace(/(?<=.)\/+$/, '')
/** One path a line. */
export const pathsOf = (text: string): string[] =>
  text
    .split('\n')
    .map(pathOf)
    .filter((path) => path !== '')
const unlessEmpty = (name: string) => (name.trim() === '' ? {} : { name })
const keeping = (keep: number | undefined) => (keep === undefined ? {} : { keep })

function ownFields(draft: TaskDraft): object {
  switch (draft.action) {
    case 'power':
      return { power: draft.power }
    case 'command':
      return { command: draft.command }
    case 'wait':
      return { seconds: (draft.amount ?? Number.NaN) * WAIT_SECONDS[draft.unit] }
    case 'notify':
      return { message: draft.message }
    case 'snapshot':
    case 'backup':
      return { ...unlessEmpty(draft.name), ...keeping(draft.keep) }
    case 'deleteFiles':
      return { paths: pathsOf(draft.paths) }
    case 'archiveFiles':
      return {
        paths: pathsOf(draft.paths),
        to: pathOf(draft.to),
        format: draft.format,
        ...keeping(draft.keep),
      }
  }
}

/** The body for the API; the schema has to parse it, since fields may be empty. */
export const taskBody = (draft: TaskDraft): unknown => ({
  action: draft.action,
  ...ownFields(draft),
  conditions: draft.conditions.map(conditionBody),
  otherwise: draft.otherwise,
  continueOnFailure: draft.continueOnFailure,
})

/** Moves a task by one; returns the same list at its ends. */
export function movedTask<T>(tasks: readonly T[], from: number, to: number): readonly T[] {
  const task = tasks[from]
  if (task === undefined || to < 0 || to >= tasks.length || from === to) return tasks
  return tasks.toSpliced(from, 1).toSpliced(to, 0, task)
}
