import { randomUUIDv7 } from 'node:crypto'
import { keptMediumUrl, type MediumRef } from '@lodge/shared/machine-spec.ts'
import type { RegisterVmMedium, VmMedium } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../../context.ts'
import { isDuplicate } from '../../../db/database.ts'
import { notFound, Problem } from '../../../problem.ts'
import {
  deleteFailedMedium,
  deleteMedium,
  insertMedium,
  lockMedium,
  updateMedium,
} from '../store.ts'
import type { MediumRow } from '../tables.ts'
import { requireUnused } from '../usage.ts'
import { checkMedium } from './check-medium.ts'
import { dropArriving, dropKept } from './folder.ts'

/**
 * @param host whether the reader sees what concerns administrators
 * @param uploadedBytes received part of an upload
 */
export const describeMedium = (
  row: MediumRow,
  host: boolean,
  uploadedBytes: number | null = null,
): VmMedium => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  sha256: row.sha256,
  sizeBytes: row.sizeBytes,
  virtualSizeMb: row.virtualSizeMb,
  state: row.state,
  enabled: row.enabled,
  url: host ? row.url : null,
  checksumUrl: host ? row.checksumUrl : null,
  kept: host ? row.kept : null,
  uploadedBytes: host && row.state === 'uploading' ? uploadedBytes : null,
  failure: host ? row.failure : null,
  jobId: host ? row.jobId : null,
})

/**
 * Registers a medium. It becomes usable once the job has downloaded it, verified fingerprint and
 * kind, and found no reference to other files in it.
 */
export async function registerMedium(
  ctx: Ctx,
  given: RegisterVmMedium,
): Promise<{ medium: VmMedium; jobId: string }> {
  try {
    return await ctx.transaction(async (ctx) => {
      await deleteFailedMedium(ctx.db, given.name)
      const id = randomUUIDv7()
      const job = await ctx.jobs.sagas.enqueue(
        ctx,
        checkMedium,
        { mediumId: id },
        { title: `Check the medium ${given.name}` },
      )
      const row = await insertMedium(ctx.db, { id, ...given, state: 'checking', jobId: job.id })
      return { medium: describeMedium(row, true), jobId: job.id }
    })
  } catch (error) {
    throw duplicateOf(error)
  }
}

/**
 * Maps a unique violation of name or fingerprint to a problem; other errors are returned unchanged.
 */
export function duplicateOf(error: unknown): unknown {
  if (isDuplicate(error, 'vm_media_name'))
    return new Problem('duplicate', 'A medium with this name already exists: choose another name', {
      fields: { errors: [{ pointer: '/name', detail: 'is taken' }] },
    })
  if (isDuplicate(error, 'vm_media_sha256'))
    return new Problem('duplicate', 'This medium is already registered under another name', {
      fields: { errors: [{ pointer: '/sha256', detail: 'is registered already' }] },
    })
  return error
}

/** Affects new installations; machines that have it in their drive keep it. */
export async function setMedium(ctx: Ctx, row: MediumRow, enabled: boolean): Promise<VmMedium> {
  const changed = await updateMedium(ctx.db, row.id, { enabled })
  return describeMedium(changed ?? row, true)
}

/** Removes an unused medium with its file; nodes drop their copies eventually. */
export async function removeMedium(ctx: Ctx, { id }: MediumRow): Promise<void> {
  const removed = await ctx.transaction(async (ctx) => {
    const row = await lockMedium(ctx.db, id)
    if (!row) throw notFound('medium')
    if (row.state === 'checking')
      throw new Problem('job_in_progress', 'The medium is being checked: cancel that job first', {
        fields: { jobId: row.jobId },
      })
    await requireUnused(ctx, 'medium', row, () => deleteMedium(ctx.db, id))
    return row
  })
  await dropArriving(ctx, id)
  if (removed.kept && removed.sha256) await dropKept(ctx, removed.sha256)
}

/**
 * A medium as sent to nodes.
 * @throws if it was never verified
 */
export function mediumRef(row: MediumRow): MediumRef {
  const { sha256, kept, kind, sizeBytes } = row
  const url = kept && sha256 ? keptMediumUrl(sha256) : row.url
  if (sizeBytes === null || sha256 === null || url === null)
    throw new Error(`the medium ${row.id} has not been checked`)
  return { sha256, url, kind, sizeBytes }
}

/** Why a new installation may not use it. */
export function whyNotMedium(row: MediumRow | undefined): string | undefined {
  if (!row) return 'is not a medium'
  if (row.state === 'uploading') return 'is still being uploaded'
  if (row.state === 'checking') return 'is still being downloaded and checked'
  if (row.state === 'failed') return 'did not pass its check'
  return row.enabled ? undefined : 'is not enabled for new installations'
}
