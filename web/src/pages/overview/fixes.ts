import type { Reply } from '../../api.ts'

type Kind = Reply<'GET /api/overview'>['attention'][number]['kind']

/** The button beside each kind of problem: the page where it is mended. */
export const FIXES: Readonly<Record<Kind, string>> = {
  storage_full: 'Open environment',
  storage_nearly_full: 'Open environment',
  database_role: 'Open environment',
  node_offline: 'Open node',
  preflight_failed: 'Open checks',
  job_failed: 'Open jobs',
  server_install_failed: 'Open server',
  server_crashed: 'Open server',
  node_disk_full: 'Open node',
  node_over_capacity: 'Open node',
  agent_outdated: 'Open node',
}
