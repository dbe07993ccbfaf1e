import { z } from 'zod'
import { ArchiveFormat, FilePath } from './files.ts'
import { SERVER_STATUSES } from './server-status.ts'
import { timeZone } from './time-zone.ts'

/** API schemas of schedules: what a server does by itself, when, and how it went. */

/** Schedules of one server, whatever its owner's limits. */
export const MOST_SCHEDULES = 20
export const MOST_TASKS = 20
/** Of one task. */
export const MOST_CONDITIONS = 5
/** Runs that are caught up at most with `missed: all`. */
export const MOST_CAUGHT_UP = 10
/** Runs kept of each schedule, and for how long. */
export const RUNS_KEPT = 100
export const RUNS_KEPT_DAYS = 90

const line = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]+$/u, 'must be one line of visible characters')

const path = FilePath.max(1024).regex(/^[^\p{Cc}]+$/u, 'must be one line')

const compare = z.enum(['atLeast', 'atMost'])
const percent = z.int().min(0).max(100)

/** What must be true for a task to run; what is unknown is not true. */
export const TaskCondition = z.discriminatedUnion('about', [
  z.strictObject({
    about: z.literal('state'),
    in: z.array(z.enum(SERVER_STATUSES)).min(1).max(SERVER_STATUSES.length),
  }),
  z.strictObject({
    about: z.literal('players'),
    compare,
    count: z.int().min(0).max(100_000),
  }),
  z.strictObject({
    about: z.literal('output'),
    contains: z.string().min(1).max(200).describe('upper and lower case alike'),
    lines: z.int().min(1).max(500).default(100).describe('of the newest lines of output'),
  }),
  z.strictObject({ about: z.literal('disk'), compare, percent: percent.describe('of its size') }),
  z.strictObject({ about: z.literal('memory'), compare, percent: percent.describe('of its size') }),
])
export type TaskCondition = z.infer<typeof TaskCondition>

/** What every task may say besides its action. */
const more = {
  conditions: z.array(TaskCondition).max(MOST_CONDITIONS).default([]).describe('all must be true'),
  otherwise: z
    .enum(['skip', 'end'])
    .default('skip')
    .describe('where a condition is not true: skip this task only, or end the run'),
  continueOnFailure: z.boolean().default(false).describe('go on with the next task if it fails'),
}

/** What a node can do for a container without the control plane. */
export const ALONE_ACTIONS = ['power', 'command', 'wait'] as const
/** Of the tasks of a schedule that its node keeps, as JSON. */
export const MOST_ALONE_BYTES = 8_192

export const POWER_TASKS = ['start', 'stop', 'restart', 'kill'] as const

const keepOf = (most: number) => z.int().min(1).max(most)

/** One thing that a schedule does. */
export const ScheduleTask = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('power'), power: z.enum(POWER_TASKS), ...more }),
  z.strictObject({ action: z.literal('command'), command: line(1024), ...more }),
  z.strictObject({
    action: z.literal('wait'),
    seconds: z.int().min(1).max(86_400),
    ...more,
  }),
  z.strictObject({
    action: z.literal('notify'),
    message: line(500).describe('shown to the owner of the server'),
    ...more,
  }),
  z.strictObject({
    action: z.literal('snapshot'),
    name: line(40).optional().describe('the time of the run is added to it'),
    keep: keepOf(50).optional().describe('older ones of this schedule are deleted'),
    ...more,
  }),
  z.strictObject({
    action: z.literal('backup'),
    name: line(40).optional(),
    keep: keepOf(1000)
      .optional()
      .describe('older ones of this schedule are deleted; the host may keep fewer'),
    ...more,
  }),
  z.strictObject({
    action: z.literal('deleteFiles'),
    paths: z.array(path).min(1).max(50),
    ...more,
  }),
  z.strictObject({
    action: z.literal('archiveFiles'),
    paths: z.array(path).min(1).max(50),
    to: path.describe('folder of the archive; the time of the run is part of its name'),
    format: ArchiveFormat.default('tar.gz'),
    keep: keepOf(1000).optional().describe('older archives that this task made are deleted'),
    ...more,
  }),
])
export type ScheduleTask = z.infer<typeof ScheduleTask>
/** A task as callers may write it, without what has a default. */
export type GivenScheduleTask = z.input<typeof ScheduleTask>

export const TASK_ACTIONS = ScheduleTask.options.map((one) => one.shape.action.value)
export const TaskAction = z.enum(TASK_ACTIONS)
export type TaskAction = z.infer<typeof TaskAction>

/** What becomes of times that pass while nothing could run, e.g. while the panel was off. */
export const SCHEDULE_MISSED = ['skip', 'once', 'all'] as const
export const ScheduleMissed = z.enum(SCHEDULE_MISSED)
export type ScheduleMissed = z.infer<typeof ScheduleMissed>

const cron = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .describe('minute, hour, day of the month, month, day of the week; e.g. 30 4 * * 1-5')
const intervalMinutes = z.int().min(1).max(525_600)
const tasks = z.array(ScheduleTask).min(1).max(MOST_TASKS)

const ONE_TIMING = {
  path: ['cron'],
  message: 'give either a cron expression or an interval in minutes',
}

export const CreateSchedule = z
  .strictObject({
    name: line(64).nullable().optional(),
    cron: cron.optional(),
    intervalMinutes: intervalMinutes.optional(),
    timezone: timeZone.optional().describe("the owner's where it is left out, else UTC"),
    tasks,
    missed: ScheduleMissed.default('skip'),
    enabled: z.boolean().default(true),
    force: z.boolean().optional(),
  })
  .refine((one) => (one.cron === undefined) !== (one.intervalMinutes === undefined), ONE_TIMING)
export type CreateSchedule = z.infer<typeof CreateSchedule>

/** What is left out stays; a cron expression replaces an interval, and the reverse. */
export const ChangeSchedule = z
  .strictObject({
    name: line(64).nullable().optional(),
    cron: cron.optional(),
    intervalMinutes: intervalMinutes.optional(),
    timezone: timeZone.optional(),
    tasks: tasks.optional().describe('from then on they run with the rights of the caller'),
    missed: ScheduleMissed.optional(),
    enabled: z.boolean().optional(),
    revision: z.int().optional().describe('refused when it was changed meanwhile'),
  })
  .refine((one) => one.cron === undefined || one.intervalMinutes === undefined, ONE_TIMING)
export type ChangeSchedule = z.infer<typeof ChangeSchedule>

export const RUN_STATES = ['running', 'done', 'failed', 'cancelled', 'skipped', 'missed'] as const
export const TASK_STATES = ['waiting', 'running', 'done', 'failed', 'skipped'] as const

/** How one task of a run went. */
export const TaskResult = z.object({
  action: TaskAction,
  state: z.enum(TASK_STATES),
  /** Why it failed or was skipped, or what it made. */
  detail: z.string().nullable(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /** The job that did it, e.g. a start or a backup. */
  jobId: z.uuid().nullable(),
})
export type TaskResult = z.infer<typeof TaskResult>

/**
 * One run. `skipped` and `missed` did not begin, `detail` says why: the server was suspended, the
 * previous run was still going, or nothing ran at that time.
 */
export const ScheduleRun = z.object({
  id: z.uuid(),
  scheduleId: z.uuid(),
  state: z.enum(RUN_STATES),
  /** When it was due; null for one that a person started. */
  dueAt: z.iso.datetime().nullable(),
  /** For one that did not begin, when it should have. */
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Who started it; null for one that was due. */
  startedBy: z.string().nullable(),
  detail: z.string().nullable(),
  jobId: z.uuid().nullable(),
  byNode: z.boolean().describe('run by the node while it was not connected'),
  tasks: z.array(TaskResult),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

export const Schedule = z.object({
  id: z.uuid(),
  serverId: z.uuid(),
  name: z.string().nullable(),
  cron: z.string().nullable(),
  intervalMinutes: z.int().nullable(),
  timezone: z.string(),
  tasks: z.array(ScheduleTask),
  missed: ScheduleMissed,
  enabled: z.boolean(),
  /** Null while it is disabled or broken. */
  nextRunAt: z.iso.datetime().nullable(),
  /** The one that is running, else the newest. */
  lastRun: ScheduleRun.pick({
    id: true,
    state: true,
    dueAt: true,
    startedAt: true,
    endedAt: true,
    detail: true,
    jobId: true,
    byNode: true,
  }).nullable(),
  runsAlone: z.boolean().describe('its node runs it also while it is not connected'),
  /** Why it cannot run, in words; a change that mends it clears it. */
  problem: z.string().nullable(),
  /** With whose rights its tasks run; null where that account is gone. */
  author: z.string().nullable(),
  revision: z.int(),
  createdAt: z.iso.datetime(),
})
export type Schedule = z.infer<typeof Schedule>

/** What schedules of one server may do. */
export const ScheduleOptions = z.object({
  /** The zone of a schedule that names none. */
  timezone: z.string(),
  most: z.int().describe('schedules that one server can have'),
  actions: z.array(
    z.object({
      action: TaskAction,
      /** Why it cannot be chosen for this server, or by the caller; null where it can. */
      unavailable: z.string().nullable(),
    }),
  ),
})
export type ScheduleOptions = z.infer<typeof ScheduleOptions>

/** What daylight saving time does to an occurrence. */
export const DAYLIGHT = [
  /** The clock skips its time: it runs right after the gap. */
  'moved',
  /** The clock skips a time that would have matched: that one is left out. */
  'left_out',
  /** Its time comes twice, and it runs the first time only. */
  'first_only',
  /** Its time comes twice, and this is the second. */
  'second',
] as const

export const Occurrence = z.object({
  at: z.iso.datetime(),
  /** The same on the clock of the zone, with its offset: `2027-03-28T03:00:00+02:00`. */
  local: z.string(),
  daylight: z
    .object({
      change: z.enum(DAYLIGHT),
      /** The time of day that the clock skips or repeats, e.g. `02:30`. */
      clock: z.string(),
      /** The day of that, e.g. `2027-03-28`. */
      date: z.iso.date(),
    })
    .nullable(),
  /** `daylight` in words. */
  note: z.string().nullable(),
})
export type Occurrence = z.infer<typeof Occurrence>

export const CronPreview = z.object({
  timezone: z.string(),
  occurrences: z.array(Occurrence),
})
export type CronPreview = z.infer<typeof CronPreview>

export const PreviewQuery = z.object({
  cron: cron.optional(),
  intervalMinutes: z.coerce.number().int().min(1).max(525_600).optional(),
  timezone: timeZone.optional().describe("the caller's where it is left out, else UTC"),
  count: z.coerce.number().int().min(1).max(50).default(5),
})
export type PreviewQuery = z.infer<typeof PreviewQuery>
