import type { CONSOLE_MISSING, Diagnostics } from '@lodge/shared/support/diagnostics.ts'
import type { User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { describeJobs, listJobs } from '../../../jobs/board/store.ts'
import { Problem } from '../../../problem.ts'
import {
  allVariables,
  findServer,
  listPorts,
  newestEvents,
  permits,
  readLogs,
  type SharedServer,
  statusOf,
} from '../../servers/index.ts'
import { findTemplateVersion } from '../../templates/index.ts'
import { Redactor } from './redact.ts'
import { textOf } from './text.ts'

const EVENTS = 20
const JOBS = 10
const LINES = 200

/**
 * The state of a server, with secrets redacted: the person who asks for help decides what to send.
 */
export async function diagnosticsOf(ctx: Ctx<User>, server: SharedServer): Promise<Diagnostics> {
  const variables = await variablesOf(ctx, server)
  const redactor = new Redactor({
    secrets: variables.flatMap(({ isSecret, value }) => (isSecret ? [value] : [])),
    ownAddresses: server.address === null ? [] : [server.address],
  })
  const [events, jobs, ports, console] = await Promise.all([
    newestEvents(ctx.db, server.id, EVENTS),
    jobsOf(ctx, server),
    listPorts(ctx.db, server.id),
    consoleOf(ctx, server),
  ])
  const content = {
    takenAt: ctx.now.toISOString(),
    server: {
      id: server.id,
      name: server.name,
      kind: server.kind,
      state: statusOf(server),
      since: server.since,
      failure: server.failure && redactor.text(server.failure.detail),
      nodeName: server.nodeName,
      template: server.templateName,
      templateVersion: server.templateVersion,
      memoryMib: server.memoryMb,
      cpuPercent: server.cpuPercent,
      diskMib: server.diskMb,
      holds: server.holds.map(({ kind }) => kind),
    },
    ports: ports.map(({ hostPort, protocol }) => `${hostPort}/${protocol}`),
    variables: variables.flatMap(({ isShown, name }) => (isShown ? [name] : [])).sort(),
    events: redactor.lines(
      events.map(({ at, kind, reason }) =>
        [at.toISOString(), kind, reason].filter((part) => part !== null).join(' '),
      ),
    ),
    jobs: redactor.lines(jobs),
    console: console.lines && redactor.lines(console.lines),
    consoleMissing: console.missing,
  }
  return { ...content, redacted: redactor.counts, text: textOf(content, redactor.counts) }
}

/** The variables of a container; customers do not see the names of hidden ones. */
async function variablesOf({ db, vault, actor }: Ctx<User>, server: SharedServer) {
  const row = await findServer(db, server.id)
  if (!row) return []
  const version = await findTemplateVersion(db, row.templateId ?? '', row.templateVersion ?? 0)
  const given = allVariables(vault, row)
  return (version?.document.variables ?? []).map(({ env, secret, userViewable, ...one }) => ({
    name: env,
    value: given[env] ?? String(one.default ?? ''),
    isShown: userViewable || actor.role === 'admin',
    isSecret: secret || !userViewable,
  }))
}

async function jobsOf(ctx: Ctx<User>, server: SharedServer): Promise<string[]> {
  const rows = await listJobs(ctx.db, {
    ownerId: undefined,
    serverId: server.id,
    open: undefined,
    state: undefined,
    after: undefined,
    limit: JOBS,
  })
  const described = await describeJobs(ctx.db, rows.slice(0, JOBS), 'customer')
  return described.map(({ createdAt, kind, state, failure }) =>
    [createdAt, kind, state, failure?.detail].filter(Boolean).join(' '),
  )
}

interface Console {
  readonly lines: string[] | null
  readonly missing: (typeof CONSOLE_MISSING)[number] | null
}

/** People who may not read the console do not see its output here either. */
async function consoleOf(ctx: Ctx<User>, server: SharedServer): Promise<Console> {
  if (!permits(ctx.actor, server, 'console.read')) return { lines: null, missing: 'no_permission' }
  try {
    const { lines } = await readLogs(ctx, server, LINES, 'run')
    return { lines, missing: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const away = error.code === 'node_unavailable' || error.code === 'driver_unavailable'
    return { lines: null, missing: away ? 'node_unavailable' : 'no_output' }
  }
}
