import type { TemplateDocumentInput } from '@lodge/shared/templates/document.ts'
import type { Machine } from './machine.ts'

/**
 * Imports the document and creates `count` servers from it, which start after their installation.
 * @param owner an account; the administrator without
 */
export async function makeServers(
  { admin, nodeId }: Machine,
  document: TemplateDocumentInput,
  count: number,
  owner?: { readonly id: string },
): Promise<{ ids: string[]; jobs: string[] }> {
  const { template } = await admin.must('POST /api/templates/import', {
    body: { document: { ...document } },
  })
  const { id: ownerId } = owner ?? (await admin.must('GET /api/auth/me'))
  const made = await Promise.all(
    Array.from({ length: count }, (_, at) =>
      admin.must('POST /api/servers', {
        body: {
          name: `Server ${at}`,
          ownerId,
          templateId: template.id,
          nodeId,
          start: true,
        },
      }),
    ),
  )
  return { ids: made.map((one) => one.serverId), jobs: made.map((one) => one.jobId) }
}

export async function statusOf({ admin }: Machine, id: string): Promise<string> {
  return (await admin.must('GET /api/servers/{id}', { params: { id } })).status
}

/** Waits until every server has this status. */
export async function allAre(
  machine: Machine,
  ids: readonly string[],
  status: string,
  timeoutMs: number,
): Promise<void> {
  await machine.until(
    `all are ${status}`,
    async () =>
      (await Promise.all(ids.map((id) => statusOf(machine, id)))).every((one) => one === status),
    timeoutMs,
  )
}

/** The job, once it has ended. */
export const endedJob = ({ admin, until }: Machine, id: string) =>
  until(
    `the job ${id} ends`,
    async () => {
      const job = await admin.must('GET /api/jobs/{id}', { params: { id } })
      return job.endedAt ? job : undefined
    },
    200_000,
  )

/** Open jobs, and the state of their servers. */
export async function openJobs({ database }: Machine): Promise<{ id: string; kind: string }[]> {
  const { rows } = await database.query(
    `select jobs.id, jobs.kind, jobs.state, servers.name, servers.observed_state
     from jobs left join servers on servers.id = jobs.server_id where jobs.ended_at is null`,
  )
  return rows
}

/**
 * Where the panel and Docker disagree about what runs, in words. Asks Docker before and after the
 * panel and ignores what changed in between.
 */
export async function disagreements(machine: Machine): Promise<string[]> {
  const before = await machine.containers()
  const { items } = await machine.admin.must('GET /api/servers')
  const after = await machine.containers()
  return items.flatMap((server) => {
    const [was, is] = [before, after].map((all) => all.get(server.id)?.running ?? false)
    const shownRunning = ['starting', 'running', 'stopping'].includes(server.observedState)
    if (was === is && shownRunning === is && server.status !== 'unknown') return []
    return [`${server.name}: ${server.status}/${server.observedState}, Docker: ${was} then ${is}`]
  })
}
