import { randomUUIDv7 } from 'node:crypto'
import type { CreateVmProfile, Offer, VmProfile } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../../context.ts'
import { isDuplicate } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { deleteProfile, insertProfile, offerProfile } from '../store.ts'
import type { ProfileRow } from '../tables.ts'
import { requireUnused } from '../usage.ts'

export const describeProfile = (row: ProfileRow): VmProfile => ({
  id: row.id,
  name: row.name,
  description: row.description,
  hardware: row.hardware,
  builtIn: row.builtIn,
  enabled: row.enabled,
  customerVisible: row.customerVisible,
})

/** Creates a profile, whose document never changes. */
export async function createProfile(ctx: Ctx, given: CreateVmProfile): Promise<VmProfile> {
  const { firmware, tpm } = given.hardware
  if (tpm && firmware.kind === 'bios')
    throw invalid([
      { pointer: '/hardware/tpm', detail: 'needs UEFI: a BIOS does not measure what it starts' },
    ])
  try {
    const row = await insertProfile(ctx.db, { id: randomUUIDv7(), ...given })
    if (!row) throw new Error('a fresh id is taken')
    return describeProfile(row)
  } catch (error) {
    if (!isDuplicate(error, 'vm_profiles_name')) throw error
    throw new Problem('duplicate', 'A profile with this name already exists: choose another name', {
      fields: { errors: [{ pointer: '/name', detail: 'is taken' }] },
    })
  }
}

/** Existing machines keep it. */
export async function setProfile(ctx: Ctx, row: ProfileRow, offer: Offer): Promise<VmProfile> {
  const next = { customerVisible: row.customerVisible, ...offer }
  await offerProfile(ctx.db, row.id, next)
  return describeProfile({ ...row, ...next })
}

/** Removes a profile without machines. */
export async function removeProfile(ctx: Ctx, row: ProfileRow): Promise<void> {
  if (row.builtIn)
    throw new Problem(
      'invalid_state',
      'A built-in profile cannot be deleted: stop offering it instead',
    )
  await ctx.transaction((ctx) =>
    requireUnused(ctx, 'profile', row, () => deleteProfile(ctx.db, row.id)),
  )
}
