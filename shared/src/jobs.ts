import { z } from 'zod'

/** A job ends in exactly one of the last four states; no accepted job is dropped. */
export const JobState = z.enum(['waiting', 'running', 'done', 'failed', 'superseded', 'cancelled'])
export type JobState = z.infer<typeof JobState>
export const JOB_ENDED: readonly JobState[] = ['done', 'failed', 'superseded', 'cancelled']

export const JobStep = z.object({
  name: z.string(),
  state: z.enum(['waiting', 'running', 'done', 'failed', 'skipped']),
  percent: z.number().nullable(),
  detail: z.string().nullable(),
})
export type JobStep = z.infer<typeof JobStep>

export const Job = z.object({
  id: z.uuid(),
  kind: z.string(),
  title: z.string(),
  state: JobState,
  serverId: z.uuid().nullable(),
  serverName: z.string().nullable(),
  nodeId: z.uuid().nullable(),
  steps: z.array(JobStep),
  percent: z.number().nullable(),
  /** What a job that has not begun waits for, in words. */
  waitsFor: z.string().nullable(),
  bytes: z.object({ done: z.number(), total: z.number().nullable() }).nullable(),
  cancellable: z.boolean(),
  retryable: z.boolean(),
  failure: z.object({ code: z.string(), detail: z.string() }).nullable(),
  logTail: z.array(z.string()),
  startedBy: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
})
export type Job = z.infer<typeof Job>

export const JobAccepted = z.object({ jobId: z.uuid() })
