import { type PanelPath, panelPath } from '@lodge/shared/panel-paths.ts'
import type { ServerEvent } from '@lodge/shared/servers.ts'
import type { WaitingAppeal } from '@lodge/shared/suspensions.ts'
import { formatCpu, formatMib } from '@lodge/shared/units.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { lowestIdAt } from '../../db/timed-ids.ts'
import type { StorageState } from '../../storage.ts'
import type { MailTrouble } from '../email/index.ts'
import { isOnline } from '../nodes/index.ts'
import { type BackupConcern, backUpPanelSaga } from '../panel-backups/index.ts'
import { ENDED_WELL } from '../servers/index.ts'
import { type FleetNode, OLDEST_JOB_MS } from './counts.ts'
import { setBackConcerns } from './set-back.ts'

/** Ordered by severity, worst first. */
const KINDS = [
  'storage_full',
  'state_rollback_detected',
  'work_off',
  'node_offline',
  'preflight_failed',
  'panel_backup_overdue',
  'storage_nearly_full',
  'mail_failing',
  'database_role',
  'panel_backup_failed',
  'job_failed',
  'server_install_failed',
  'server_crashed',
  'node_disk_full',
  'node_over_capacity',
  'appeal_waiting',
  'agent_outdated',
] as const

const SEVERITY = {
  storage_full: 'critical',
  state_rollback_detected: 'critical',
  work_off: 'critical',
  panel_backup_overdue: 'critical',
  storage_nearly_full: 'warning',
  mail_failing: 'critical',
  database_role: 'warning',
  panel_backup_failed: 'warning',
  node_offline: 'critical',
  preflight_failed: 'critical',
  job_failed: 'warning',
  server_install_failed: 'warning',
  server_crashed: 'warning',
  node_disk_full: 'warning',
  node_over_capacity: 'warning',
  appeal_waiting: 'notice',
  agent_outdated: 'notice',
} as const satisfies Record<(typeof KINDS)[number], string>

/** Something that needs attention, and where to handle it. */
export const Attention = z.object({
  kind: z.enum(KINDS),
  severity: z.enum(['critical', 'warning', 'notice']),
  title: z.string(),
  /** What is wrong and what to do about it. */
  detail: z.string(),
  since: z.iso.datetime().nullable(),
  serverId: z.uuid().nullable(),
  nodeId: z.uuid().nullable(),
  jobId: z.uuid().nullable(),
  /** Path in the panel. */
  href: z.string(),
})
export type Attention = z.infer<typeof Attention>

const DISK_FULL = 0.9
/** Limit per kind; nobody reads longer lists line by line. */
const MOST_OF_A_KIND = 20

/** What the control plane knows about its own state. */
export interface OwnState {
  readonly storage: StorageState
  readonly databaseConcern: string | undefined
  readonly works: boolean
  /** Empty for readers who may not see them. */
  readonly waitingAppeals: readonly WaitingAppeal[]
}

/** @param version of the control plane: older agents are outdated */
export async function whatNeedsAttention(
  db: Db,
  fleet: readonly FleetNode[],
  version: string,
  own: OwnState & {
    readonly backupConcern: BackupConcern | undefined
    readonly mailTrouble: MailTrouble | undefined
  },
): Promise<Attention[]> {
  const found = [
    ...ownStorage(own.storage),
    ...ownRole(own.databaseConcern),
    ...ownWork(own.works),
    ...ownBackups(own.backupConcern),
    ...ownMail(own.mailTrouble),
    ...(await setBackOf(db)),
    ...fleet.flatMap((node) => aboutNode(node, version)),
    ...own.waitingAppeals.map(aboutAppeal),
    ...(await failedJobs(db)),
    ...(await brokenServers(db, fleet)),
  ]
  return KINDS.flatMap((kind) => found.filter((one) => one.kind === kind).slice(0, MOST_OF_A_KIND))
}

type Words = Pick<Attention, 'title' | 'detail'> & Partial<Omit<Attention, 'href'>>
const attention = (kind: Attention['kind'], words: Words & { href: PanelPath }): Attention => ({
  kind,
  severity: SEVERITY[kind],
  since: null,
  serverId: null,
  nodeId: null,
  jobId: null,
  ...words,
})

/** After a set-back of the database: nodes and servers that wait for a person. */
async function setBackOf(db: Db): Promise<Attention[]> {
  return (await setBackConcerns(db)).map(({ title, detail, since, nodeId }) =>
    attention('state_rollback_detected', {
      ...{ title, detail, nodeId },
      since: since.toISOString(),
      href: panelPath('failover'),
    }),
  )
}

/** Concerns this instance only: each has its own disk. */
function ownStorage({ level, summary }: StorageState): Attention[] {
  if (level === 'ok') return []
  return [
    attention(level === 'full' ? 'storage_full' : 'storage_nearly_full', {
      title: summary,
      detail:
        level === 'full'
          ? 'Nothing can be changed. Free space or enlarge the disk. The panel then continues by itself.'
          : 'Free space or enlarge the disk. Once it is full, nothing can be changed.',
      href: panelPath('settingsEnvironment'),
    }),
  ]
}

const aboutAppeal = ({ customerId: id, email, waitingSince }: WaitingAppeal): Attention =>
  attention('appeal_waiting', {
    title: `${email} waits for an answer`,
    detail: 'They appeal the suspension of their account. Answer, grant or reject the appeal.',
    since: waitingSince,
    href: panelPath('customerSuspension', { id }),
  })

function ownRole(concern: string | undefined): Attention[] {
  if (concern === undefined) return []
  return [
    attention('database_role', {
      title: 'The control plane owns its database tables',
      detail: concern,
      href: panelPath('settingsEnvironment'),
    }),
  ]
}

function ownWork(works: boolean): Attention[] {
  if (works) return []
  return [
    attention('work_off', {
      title: 'This panel does nothing by itself',
      detail:
        'LODGE_WORK=false is set, as for looking into a backup: no job begins, no mail is sent, and no schedule and no invoice is due. Start it without that to work with it.',
      href: panelPath('settingsEnvironment'),
    }),
  ]
}

function ownBackups(concern: BackupConcern | undefined): Attention[] {
  if (concern === undefined) return []
  const { kind, reason, since } = concern
  return [
    attention(kind === 'overdue' ? 'panel_backup_overdue' : 'panel_backup_failed', {
      title:
        kind === 'overdue' ? 'The panel has no recent backup' : 'The panel could not be backed up',
      detail: reason ?? 'Scheduled backups are missing. Check when and where they are made.',
      since: since?.toISOString() ?? null,
      href: panelPath('settingsBackups'),
    }),
  ]
}

function ownMail(trouble: MailTrouble | undefined): Attention[] {
  if (trouble === undefined) return []
  const { waiting, since, error } = trouble
  return [
    attention('mail_failing', {
      title: waiting === 1 ? 'A mail cannot be sent' : `${waiting} mails cannot be sent`,
      detail: error,
      since: since.toISOString(),
      href: panelPath('settingsMail'),
    }),
  ]
}

function aboutNode(node: FleetNode, version: string): Attention[] {
  if (!node.enrolled) return []
  const about = (kind: Attention['kind'], words: Words) =>
    attention(kind, { nodeId: node.id, href: panelPath('node', { id: node.id }), ...words })
  const found: Attention[] = []
  if (!isOnline(node)) {
    found.push(
      about('node_offline', {
        title: `${node.name} is not connected`,
        detail: `You cannot control ${plural(node.allocatedServers, 'server')} on it. Check that the machine is running and its agent can reach the control plane.`,
        since: node.lastSeenAt?.toISOString() ?? null,
        // An empty offline node affects nobody yet.
        severity: node.allocatedServers > 0 ? 'critical' : 'warning',
      }),
    )
  }
  for (const check of node.preflight.filter(({ state }) => state === 'failed')) {
    found.push(
      about('preflight_failed', {
        title: `${node.name}: ${check.summary}`,
        detail: check.remedy ?? 'See the checks of the node.',
      }),
    )
  }
  if (node.usage && node.usage.diskUsedBytes > node.usage.diskTotalBytes * DISK_FULL) {
    const percent = Math.round((node.usage.diskUsedBytes / node.usage.diskTotalBytes) * 100)
    found.push(
      about('node_disk_full', {
        title: `The disk of ${node.name} is ${percent}% full`,
        detail:
          'Free space on it, or move servers to another node. Once it is full, servers cannot write.',
      }),
    )
  }
  const over = overCapacity(node)
  if (over.length > 0) {
    found.push(
      about('node_over_capacity', {
        title: `${node.name} is overcommitted`,
        detail: `Allocated: ${over.join(', ')}. Move servers, or correct the capacity of the node.`,
      }),
    )
  }
  if (node.agentVersion !== null && isOlder(node.agentVersion, version)) {
    found.push(
      about('agent_outdated', {
        title: `The agent of ${node.name} is outdated (${node.agentVersion})`,
        detail: `Update it to ${version}.`,
      }),
    )
  }
  return found
}

function overCapacity(node: FleetNode): string[] {
  const kinds = [
    ['memory', formatMib, node.allocatedMemoryMb, node.memoryMb - node.headroomMb],
    ['CPU', formatCpu, node.allocatedCpuPercent, node.cpuPercent],
    ['disk', formatMib, node.allocatedDiskMb, node.diskMb],
  ] as const
  return kinds.flatMap(([what, format, allocated, offered]) =>
    allocated > offered ? [`${format(allocated)} of ${format(offered)} ${what}`] : [],
  )
}

/**
 * Jobs failed in the last 24 hours, unless the same was retried since. Repeated failures of the
 * same kind are one row: the latest, with a count. Backups of the panel are left to
 * `backupConcern`, which knows whether a later one succeeded.
 */
async function failedJobs(db: Db): Promise<Attention[]> {
  const { rows } = await db.execute<{
    id: string
    title: string
    server: string | null
    node: string | null
    detail: string | null
    at: number
    times: number
  }>(sql`
    select (array_agg(id order by id desc))[1] as id, title, server_id as server, node_id as node,
      failure->>'detail' as detail, extract(epoch from max(ended_at))::float8 * 1000 as at, count(*)::int as times
    from jobs failed
    where state = 'failed' and kind <> ${backUpPanelSaga.name} and ended_at > now() - interval '24 hours'
      and id > ${lowestIdAt(Date.now() - OLDEST_JOB_MS)}::uuid
      and not exists (
        select 1 from jobs later
        where later.server_id = failed.server_id and later.kind = failed.kind and later.id > failed.id)
      and (server_id is not null or not exists (
        select 1 from jobs later
        where later.node_id = failed.node_id and later.server_id is null
          and later.kind = failed.kind and later.id > failed.id))
    group by kind, title, server_id, node_id, failure->>'detail'
    order by 1 desc limit ${MOST_OF_A_KIND}`)
  return rows.map((row) =>
    attention('job_failed', {
      title: row.times === 1 ? `${row.title} failed` : `${row.title} failed ${row.times} times`,
      detail: row.detail ?? 'See the steps of the job.',
      since: new Date(row.at).toISOString(),
      jobId: row.id,
      serverId: row.server,
      nodeId: row.node,
      href: panelPath('jobs'),
    }),
  )
}

/**
 * The events that explain why a server is down. Others of the same moment, such as a process that ran
 * out of memory, explain less.
 */
const SAY_WHY = {
  crashed: ['crashed', 'ended', 'gave_up', 'start_failed'],
  installation: ['install_failed'],
} as const satisfies Record<string, readonly ServerEvent['kind'][]>

/** Crashed servers that will not restart automatically, and failed installations. */
async function brokenServers(db: Db, fleet: readonly FleetNode[]): Promise<Attention[]> {
  const online = fleet.filter((node) => isOnline(node)).map((node) => node.id)
  const { rows } = await db.execute<{
    id: string
    name: string
    node: string
    failed: boolean
    reason: string | null
    since: number | null
  }>(sql`
    select s.id, s.name, s.node_id as node, s.install_failed as failed, last.reason, extract(epoch from s.since)::float8 * 1000 as since
    from servers s left join lateral (
      select reason from server_events e where e.server_id = s.id
        and e.kind = any(case when s.install_failed then ${list(SAY_WHY.installation)}::text[] else ${list(SAY_WHY.crashed)}::text[] end)
      order by e.at desc, e.kind = 'gave_up' desc, e.id desc limit 1) last on true
    where ((s.observed_state = 'crashed' and s.restart_at is null and not ${ENDED_WELL}) or (s.install_failed and s.observed_state <> 'installing'))
      and s.node_id = any(${list(online)}::uuid[])
      and not exists (select 1 from server_holds h where h.server_id = s.id)
    order by s.since desc nulls last, s.id limit ${2 * MOST_OF_A_KIND}`)
  return rows.map((row) => {
    const next = row.failed
      ? 'Check the installation log, then reinstall the server.'
      : 'Check its console, then start it again.'
    return attention(row.failed ? 'server_install_failed' : 'server_crashed', {
      title: row.failed
        ? `The installation of ${row.name} failed`
        : `${row.name} crashed and is not restarted`,
      detail: row.reason ?? next,
      since: row.since === null ? null : new Date(row.since).toISOString(),
      serverId: row.id,
      nodeId: row.node,
      href: panelPath('server', { id: row.id }),
    })
  })
}

const list = (words: readonly string[]): string => `{${words.join(',')}}`

/** Compares `1.2.3` versions; anything else is never older. */
export function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) =>
    /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number),
  )
  if (!a || !b) return false
  const at = a.findIndex((part, index) => part !== b[index])
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0)
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
