import { type FileDone, MAX_COPY_BYTES } from '@lodge/shared/files.ts'
import type { JobTitle } from '@lodge/shared/job-words.ts'
import type {
  ArchiveFiles,
  CopyFiles,
  DeleteFiles,
  ExtractArchive,
  PullFile,
} from '@lodge/shared/server-files.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { beginOperation, bySaga, holdServer, type SharedServer } from '../servers/index.ts'
import { requireFiles, requireWritable } from './access.ts'
import { stat } from './browse.ts'
import { doNow } from './change.ts'
import {
  archiveSaga,
  copySaga,
  deleteSaga,
  doneBy,
  extractSaga,
  type FileTask,
  pullSaga,
} from './sagas.ts'
import { openFileJobs } from './store.ts'

const MIB = 1_048_576
/** How many archive and fetch jobs may run for one server. */
const JOBS_AT_ONCE = 5

/** Starts long work on the node. */
async function begin(
  ctx: Ctx<User>,
  server: SharedServer,
  { saga, task, title }: { saga: typeof copySaga; task: FileTask; title: JobTitle },
): Promise<{ jobId: string }> {
  await requireFiles(ctx, server, true)
  return ctx.transaction(async (ctx) => {
    const { row, view } = await holdServer(ctx, server)
    await requireWritable(ctx, view)
    if ((await openFileJobs(ctx.db, row.id)) >= JOBS_AT_ONCE)
      throw new Problem(
        'job_in_progress',
        `${JOBS_AT_ONCE} jobs work on the files of this server already: wait for one of them, or cancel it`,
      )
    const about = { serverId: row.id, nodeId: row.nodeId, userId: ctx.actor.id }
    const { jobId } = await beginOperation(ctx, row, {
      title,
      work: bySaga(saga, { ...about, task }),
    })
    return { jobId }
  })
}

/** Copies a small file immediately, and anything else in a job. */
export async function copy(
  ctx: Ctx<User>,
  server: SharedServer,
  { copies, replace }: z.output<typeof CopyFiles>,
  http: Exchange,
): Promise<FileDone | { jobId: string }> {
  const [first, ...others] = copies
  if (first && others.length === 0) {
    const { kind, sizeBytes } = await stat(ctx, server, first.from, http)
    if (kind === 'file' && sizeBytes <= MAX_COPY_BYTES)
      return doNow(ctx, server, { do: 'copy', ...first, replace }, http)
  }
  return begin(ctx, server, {
    saga: copySaga,
    task: { do: 'copy', moves: copies, replace },
    title: `Copy ${named(copies.map(({ from }) => from))} on ${server.name}`,
  })
}

/** Deletes files for good in a job, for deletions that may take longer. */
export const deleteByJob = (
  ctx: Ctx<User>,
  server: SharedServer,
  { paths }: Pick<z.output<typeof DeleteFiles>, 'paths'>,
): Promise<{ jobId: string }> =>
  begin(ctx, server, {
    saga: deleteSaga,
    task: { do: 'delete', paths, skipMissing: true },
    title: `Delete ${named(paths)} on ${server.name}`,
  })

export const deletedBy = (db: Db, jobId: string) => doneBy(db, deleteSaga, jobId)

/** @param given with `skipMissing`, nothing to archive means no archive */
export const archive = (
  ctx: Ctx<User>,
  server: SharedServer,
  given: z.output<typeof ArchiveFiles> & { readonly skipMissing?: true },
): Promise<{ jobId: string }> =>
  begin(ctx, server, {
    saga: archiveSaga,
    task: { do: 'archive', ...given },
    title: `Archive ${named(given.paths)} on ${server.name}`,
  })

export const archivedBy = (db: Db, jobId: string) => doneBy(db, archiveSaga, jobId)

export const extract = (
  ctx: Ctx<User>,
  server: SharedServer,
  given: z.output<typeof ExtractArchive>,
): Promise<{ jobId: string }> =>
  begin(ctx, server, {
    saga: extractSaga,
    task: { do: 'extract', ...given },
    title: `Extract ${named([given.path])} on ${server.name}`,
  })

/** The node fetches it; its agent decides which addresses may be reached. */
export async function pull(
  ctx: Ctx<User>,
  server: SharedServer,
  given: z.output<typeof PullFile>,
): Promise<{ jobId: string }> {
  const { username, password, host } = new URL(given.url)
  if (username !== '' || password !== '')
    throw invalid([{ pointer: '/url', detail: 'must not contain a name or a password' }])
  return begin(ctx, server, {
    saga: pullSaga,
    // The server's disk could not hold anything larger.
    task: { do: 'pull', ...given, maxBytes: Math.max(1, server.diskMb) * MIB },
    title: `Fetch ${named([given.to])} from ${host} to ${server.name}`,
  })
}

function named([first = '/', ...others]: readonly string[]): string {
  const name = first.slice(first.lastIndexOf('/') + 1) || 'all files'
  return others.length === 0 ? name : `${name} and ${others.length} more`
}
