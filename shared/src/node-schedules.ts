import { z } from 'zod'
import { MOST_SCHEDULES, ScheduleTask, TaskResult } from './schedules.ts'

/**
 * Schedules that a node runs by itself while it is alone, and what it tells of them later. An
 * occurrence, which is a schedule and the time at which it is due, is used once: the node's journal
 * says by whom.
 */

/** For this long the control plane may be away before its node acts by itself. */
export const ALONE_AFTER_SECONDS = 30

/** The capability of agents that do this. */
export const RUNS_SCHEDULES = 'agent.schedules'

/** A schedule as its node knows it. */
export const NodeSchedule = z.object({
  id: z.uuid(),
  name: z.string(),
  revision: z.int(),
  cron: z.string().nullable(),
  intervalMinutes: z.int().nullable(),
  timezone: z.string(),
  anchoredAt: z.iso.datetime(),
  /** The first occurrence that the control plane had not handled when it sent this. */
  from: z.iso.datetime(),
  tasks: z.array(ScheduleTask),
})
export type NodeSchedule = z.infer<typeof NodeSchedule>

/** What is sent with the desired state of a server; nothing while the server is held. */
export const NodeSchedules = z.object({ schedules: z.array(NodeSchedule).max(MOST_SCHEDULES) })
export type NodeSchedules = z.infer<typeof NodeSchedules>

/** A run of a node; told when it begins, after each task, and when it ends. */
export const NodeRun = z.object({
  id: z.uuid(),
  scheduleId: z.uuid(),
  serverId: z.uuid(),
  dueAt: z.iso.datetime(),
  state: z.enum(['running', 'done', 'failed', 'cancelled', 'skipped']),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  detail: z.string().max(2_000).nullable(),
  results: z.array(TaskResult),
})
export type NodeRun = z.infer<typeof NodeRun>

/**
 * What a node answers when the control plane claims an occurrence: the control plane runs it; the
 * node has run it; or the node is still running the schedule.
 */
export const CLAIM_OUTCOMES = ['granted', 'taken', 'busy'] as const
export type ClaimOutcome = (typeof CLAIM_OUTCOMES)[number]
