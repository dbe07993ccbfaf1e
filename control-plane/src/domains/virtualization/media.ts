import { randomUUIDv7 } from 'node:crypto'
import type { MediumRef } from '@lodge/shared/machine-spec.ts'
import type { RegisterVmMedium, VmMedium } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../context.ts'
import { isDuplicate } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import { checkMedium } from './check-medium.ts'
import { deleteFailedMedium, insertMedium, updateMedium } from './store.ts'
import type { MediumRow } from './tables.ts'

/** @param host whether the reader is shown what concerns administrators */
export const describeMedium = (row: MediumRow, host: boolean): VmMedium => ({
  id: row.id,
  name: row.name,
  kind: row.kind,
  sha256: row.sha256,
  sizeBytes: row.sizeBytes,
  virtualSizeMb: row.virtualSizeMb,
  state: row.state,
  enabled: row.enabled,
  url: host ? row.url : null,
  failure: host ? row.failure : null,
  jobId: host ? row.jobId : null,
})

/**
 * Registers a medium. It can be used when the job has downloaded it once and found the fingerprint,
 * the kind and nothing that leads out of the file.
 */
export async function registerMedium(
  ctx: Ctx,
  given: RegisterVmMedium,
): Promise<{ medium: VmMedium; jobId: string }> {
  try {
    return await ctx.transaction(async (ctx) => {
      await deleteFailedMedium(ctx.db, given.name)
      const id = randomUUIDv7()
      const job = await ctx.jobs.enqueue(
        ctx,
        checkMedium,
        { mediumId: id },
        { title: `Check the medium ${given.name}` },
      )
      const row = await insertMedium(ctx.db, { id, ...given, state: 'checking', jobId: job.id })
      return { medium: describeMedium(row, true), jobId: job.id }
    })
  } catch (error) {
    if (isDuplicate(error, 'vm_media_name'))
      throw new Problem('duplicate', 'A medium with this name exists already', {
        fields: { errors: [{ pointer: '/name', detail: 'is taken' }] },
      })
    if (isDuplicate(error, 'vm_media_sha256'))
      throw new Problem('duplicate', 'This medium is registered already under another name', {
        fields: { errors: [{ pointer: '/sha256', detail: 'is registered already' }] },
      })
    throw error
  }
}

/** For new installations; machines that have it in their drive keep it. */
export async function setMedium(ctx: Ctx, row: MediumRow, enabled: boolean): Promise<VmMedium> {
  const changed = await updateMedium(ctx.db, row.id, { enabled })
  return describeMedium(changed ?? row, true)
}

/** As nodes are told it. @throws when it was never checked */
export function mediumRef(row: MediumRow): MediumRef {
  const { sha256, url, kind, sizeBytes } = row
  if (sizeBytes === null) throw new Error(`the medium ${row.id} has not been checked`)
  return { sha256, url, kind, sizeBytes }
}

/** Why a new installation may not use it, in words. */
export function whyNotMedium(row: MediumRow | undefined): string | undefined {
  if (!row) return 'is not a medium'
  if (row.state === 'checking') return 'is still being downloaded and checked'
  if (row.state === 'failed') return 'did not pass its check'
  return row.enabled ? undefined : 'is not enabled for new installations'
}
