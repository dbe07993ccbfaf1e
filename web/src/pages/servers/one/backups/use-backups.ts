import type { Backup } from '@lodge/shared/backups.ts'
import type { Job } from '@lodge/shared/jobs.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../../query.ts'
import { given } from '../../../../routes/search.ts'

/** A page of the backups of a server, the newest first. */
export const backupsQuery = (id: string, limit: number, after?: string) =>
  q('GET /api/servers/{id}/backups', {
    params: { id },
    query: { limit, ...(after === undefined ? {} : { after }) },
  })

/** The search while the files of a backup are open; the list behind them stays on its page. */
export const browsing =
  ({ id }: Backup, path?: string) =>
  ({ after }: { readonly after?: string }) =>
    given({ after, backup: id, path })

/**
 * The URL from which the browser saves a backup, or one file or folder of it; a folder is sent as an
 * archive.
 */
export function downloadAddress({ serverId, id }: Backup, path?: string): string {
  const query = path === undefined ? '' : `?${new URLSearchParams({ path })}`
  return `/api/servers/${serverId}/backups/${id}/download${query}`
}

const VERIFY = 'backup.verify'

/** The server's open job; there is at most one, apart from one that verifies a backup. */
export const useOpenJob = (server: Pick<Server, 'id'>): Job | undefined =>
  useJobs(server).find(({ kind }) => kind !== VERIFY)

/** Of the server's backups, one is verified at a time. */
export const useVerification = (server: Pick<Server, 'id'>): Job | undefined =>
  useJobs(server).find(({ kind }) => kind === VERIFY)

function useJobs(server: Pick<Server, 'id'>): readonly Job[] {
  // The same request as that of the running job in the header.
  const { data } = useQuery(q('GET /api/jobs', { query: { limit: 25 } }))
  const items = data?.items ?? []
  return items.filter(({ serverId, endedAt }) => serverId === server.id && endedAt === null)
}

/** How long it took, in milliseconds; null while it is in progress. */
export const durationOf = ({ createdAt, finishedAt }: Backup): number | null =>
  finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(createdAt)
