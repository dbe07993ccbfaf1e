import type { GivenScheduleTask, ScheduleRun } from '@lodge/shared/schedules.ts'
import type { Caller } from '../../support/caller.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import type { StandInAgent } from '../../support/stand-in-agent.ts'
import { until } from '../../support/until.ts'

/** A customer's server on a node whose agent executes every task. */
export interface ScheduleWorld extends AsyncDisposable {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly owner: Caller
  readonly agent: StandInAgent
  readonly id: string
}

export async function scheduleWorld(): Promise<ScheduleWorld> {
  const lodge = await startLodge()
  const [admin, owner] = [await lodge.admin(), await lodge.customer()]
  const node = await lodge.joinedNode()
  const agent = await lodge.standIn(node)
  const template = await lodge.template()
  const id = await lodge.server({ ownerId: owner.id, templateId: template.id, nodeId: node.id })
  await settled(lodge)
  return {
    lodge,
    admin,
    owner,
    agent,
    id,
    [Symbol.asyncDispose]: () => lodge[Symbol.asyncDispose](),
  }
}

/** Waits until no job is open. */
export const settled = (lodge: Lodge) =>
  until(async () => {
    const { rows } = await lodge.database.pool.query('select from jobs where ended_at is null')
    return rows.length === 0
  })

export const WAIT: GivenScheduleTask = { action: 'wait', seconds: 1 }

/** A schedule that does not become due during a test. */
export async function makeSchedule(
  { owner, id }: Pick<ScheduleWorld, 'owner' | 'id'>,
  tasks: readonly GivenScheduleTask[],
  more: { missed?: 'skip' | 'once' | 'all'; intervalMinutes?: number; enabled?: boolean } = {},
): Promise<string> {
  const { intervalMinutes, ...rest } = more
  const timing = intervalMinutes === undefined ? { cron: '0 0 1 1 *' } : { intervalMinutes }
  const made = await owner.must('POST /api/servers/{id}/schedules', {
    params: { id },
    body: { ...timing, ...rest, tasks: [...tasks] },
  })
  return made.id
}

/** Makes a schedule due, by default just now. */
export const makeDue = ({ database }: Lodge, scheduleId: string, ago = '1 second') =>
  database.pool.query(
    `update schedules set next_at = date_trunc('milliseconds', now()) - $2::interval,
       anchored_at = date_trunc('milliseconds', now()) - $2::interval where id = $1`,
    [scheduleId, ago],
  )

export const runsOf = async (
  { owner, id }: Pick<ScheduleWorld, 'owner' | 'id'>,
  scheduleId: string,
): Promise<ScheduleRun[]> =>
  (
    await owner.must('GET /api/servers/{id}/schedules/{scheduleId}/runs', {
      params: { id, scheduleId },
      query: {},
    })
  ).items

/** The newest run, once it has ended. */
export const ended = (world: Pick<ScheduleWorld, 'owner' | 'id'>, scheduleId: string) =>
  until(async () => {
    const [run] = await runsOf(world, scheduleId)
    return run?.endedAt ? run : undefined
  })

export const run = (
  { id }: Pick<ScheduleWorld, 'id'>,
  caller: Caller,
  scheduleId: string,
): Promise<{ jobId: string; runId: string }> =>
  caller.must('POST /api/servers/{id}/schedules/{scheduleId}/run', { params: { id, scheduleId } })
