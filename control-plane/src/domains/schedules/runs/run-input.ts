import { ScheduleTask } from '@lodge/shared/schedules.ts'
import { z } from 'zod'

/** What the job of a run knows of its schedule. */
export const Run = z.object({
  runId: z.uuid(),
  scheduleId: z.uuid(),
  scheduleName: z.string(),
  serverId: z.uuid(),
  /** With whose rights it runs; null if the account is gone. */
  authorId: z.uuid().nullable(),
  /** As they were when it began: a change of the schedule does not reach into a run. */
  tasks: z.array(ScheduleTask),
  /** The occurrence to claim from the node before anything is done. */
  claim: z.iso.datetime().nullable().default(null),
})
export type Run = z.infer<typeof Run>
