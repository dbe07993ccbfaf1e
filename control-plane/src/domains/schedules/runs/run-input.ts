import { ScheduleTask } from '@lodge/shared/schedules.ts'
import { z } from 'zod'

/** What the job of a run knows of its schedule. */
export const Run = z.object({
  runId: z.uuid(),
  scheduleId: z.uuid(),
  scheduleName: z.string(),
  serverId: z.uuid(),
  /** The account whose rights apply; null if it is gone. */
  authorId: z.uuid().nullable(),
  /** As they were when the run began: changes to the schedule do not affect it. */
  tasks: z.array(ScheduleTask),
  /** The occurrence to claim from the node first. */
  claim: z.iso.datetime().nullable().default(null),
})
export type Run = z.infer<typeof Run>
