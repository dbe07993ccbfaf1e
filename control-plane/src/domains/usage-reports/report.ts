import { USAGE_BUCKETS, type UsageReport } from '@lodge/shared/usage-reports.ts'
import release from '../../../package.json' with { type: 'json' }
import type { Ctx } from '../../context.ts'
import { countsOf, jobsOfWeek } from './store.ts'

/** A kind with fewer jobs is left out: it says little, but might identify an installation. */
const LEAST_JOBS = 10

/** The bucket of a count: `0`, `1-9` and so on. */
export function bucketOf(count: number): UsageReport['nodes'] {
  const floors = USAGE_BUCKETS.map((bucket) => Number.parseInt(bucket, 10))
  const at = floors.findLastIndex((floor) => count >= floor)
  return USAGE_BUCKETS[Math.max(0, at)] ?? '0'
}

/**
 * The current report. It identifies nothing and nobody: only versions, ranges of counts and which
 * features are on.
 * @param installation the random id of this installation
 */
export async function makeReport(
  ctx: Pick<Ctx, 'db' | 'sftp'>,
  installation: string,
): Promise<UsageReport> {
  const { db, sftp } = ctx
  const counts = await countsOf(db)
  const jobs = await jobsOfWeek(db)
  const features = {
    sftp: sftp.port !== null,
    'shared-servers': counts.collaborators > 0,
    schedules: counts.schedules > 0,
    backups: counts.backups > 0,
  }
  return {
    installation,
    lodge: release.version,
    node: process.versions.node.split('.')[0] ?? '',
    system: process.platform,
    postgresql: counts.postgresql,
    nodes: bucketOf(counts.nodes),
    containerServers: bucketOf(counts.containers),
    virtualMachines: bucketOf(counts.vms),
    customers: bucketOf(counts.customers),
    templates: {
      builtin: bucketOf(counts.builtinTemplates),
      custom: bucketOf(counts.customTemplates),
    },
    features: Object.entries(features).flatMap(([name, isOn]) => (isOn ? [name] : [])),
    jobs: jobs
      .filter(({ count }) => count >= LEAST_JOBS)
      .map(({ kind, count, failed }) => ({
        kind,
        failedPercent: Math.round((100 * failed) / count),
      })),
  }
}
