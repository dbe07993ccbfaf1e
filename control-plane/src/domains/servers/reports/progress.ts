import type { ServerProgress } from '@lodge/proto/server.ts'
import type { JobStep } from '@lodge/shared/jobs.ts'
import { openJobsOfServer } from '../../../jobs/board/store.ts'
import type { JobRow } from '../../../jobs/board/tables.ts'
import type { Services } from '../../../services.ts'
import { findServer } from '../store.ts'

/** Job step names by the node's step; the first that the job has is used. */
const STEP_NAMES: Readonly<Record<string, readonly string[]>> = {
  image: ['Prepare the image', 'Prepare'],
  configure: ['Prepare', 'Prepare the image'],
  install: ['Install'],
  start: ['Start', 'Restart'],
  stop: ['Stop', 'Kill'],
  remove: ['Remove from the node'],
}
const LOG_LINES = 200

/** Shows the node's progress on a server's open jobs. */
export async function takeProgress(
  services: Services,
  nodeId: string,
  all: readonly ServerProgress[],
): Promise<void> {
  for (const progress of all) {
    const server = await findServer(services.db, progress.serverId)
    if (server?.nodeId !== nodeId) continue
    const open = await openJobsOfServer(services.db, server.id)
    const job = open
      .filter(
        (one) =>
          one.runsAs === 'desired_state' &&
          one.generation !== null &&
          one.generation <= progress.generation,
      )
      .at(-1)
    if (job) await services.jobs.desiredState.progress(services.db, job, changeOf(job, progress))
  }
}

function changeOf(job: JobRow, progress: ServerProgress): Partial<JobRow> {
  const percent = progress.percent >= 0 ? Math.min(100, progress.percent) : null
  const lines = progress.logLines.map((line) => line.replaceAll('\0', '').slice(0, 500))
  return {
    steps: advance(
      job.steps,
      STEP_NAMES[progress.step] ?? [],
      percent,
      progress.detail.replaceAll('\0', '').slice(0, 300),
    ),
    percent,
    ...(progress.bytesDone > 0 && {
      bytesDone: progress.bytesDone,
      bytesTotal: progress.bytesTotal || null,
    }),
    ...(lines.length > 0 && { logTail: [...job.logTail, ...lines].slice(-LOG_LINES) }),
  }
}

/** Marks the named step as running and those before it as done. */
export function advance(
  steps: readonly JobStep[],
  names: readonly string[],
  percent: number | null,
  detail: string,
): JobStep[] {
  const name = names.find((one) => steps.some((step) => step.name === one))
  const at = steps.findIndex((step) => step.name === name)
  if (at < 0) return [...steps]
  return steps.map((step, index) => {
    if (index < at) return { ...step, state: 'done', percent: 100 }
    return index === at ? { ...step, state: 'running', percent, detail: detail || null } : step
  })
}
