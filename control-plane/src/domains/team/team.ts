import { randomUUIDv7 } from 'node:crypto'
import { emailAddress, personName } from '@lodge/shared/accounts.ts'
import { AdminPermission } from '@lodge/shared/permissions.ts'
import { z } from 'zod'
import { hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { requireFree } from '../../db/cap.ts'
import { databaseFault } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import { issueAccountToken, methodsOf, refreshRights, removeEveryFactor } from '../auth/index.ts'
import { emailTaken, insertUser, type UserRow } from '../customers/index.ts'
import { teamCap } from './cap-store.ts'
import * as store from './store.ts'

export const Administrator = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  superAdmin: z.boolean(),
  permissions: z.array(AdminPermission),
  hasSecondFactor: z.boolean(),
  /** Invited people have not chosen a password yet. */
  state: z.enum(['invited', 'active']),
  createdAt: z.iso.datetime(),
})
export type Administrator = z.infer<typeof Administrator>

const permissions = z.array(AdminPermission).max(AdminPermission.options.length)
export const InviteAdministrator = z.strictObject({
  email: emailAddress,
  name: personName.optional(),
  permissions,
})
export const EditPermissions = z.strictObject({ permissions })

const describe = async (ctx: Ctx, row: UserRow): Promise<Administrator> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  superAdmin: row.superAdmin,
  permissions: row.superAdmin ? [...AdminPermission.options] : row.permissions,
  hasSecondFactor: (await methodsOf(ctx, row.id)).length > 0,
  state: row.passwordHash === null ? 'invited' : 'active',
  createdAt: row.createdAt.toISOString(),
})

export async function listTeam(ctx: Ctx): Promise<{ items: Administrator[] }> {
  const items: Administrator[] = []
  for (const row of await store.listAdministrators(ctx.db)) items.push(await describe(ctx, row))
  return { items }
}

/**
 * Administrators may only grant or revoke permissions they have, so nobody can escalate their own.
 */
function requireHeld(actor: User, touched: readonly AdminPermission[]): void {
  const lacking = touched.find((one) => !hasPermission(actor, one))
  if (!lacking) return
  throw new Problem(
    'permission_required',
    `You cannot give or take ${lacking}, because you do not have it`,
    { fields: { permission: lacking } },
  )
}

export async function invite(
  ctx: Ctx<User>,
  given: z.output<typeof InviteAdministrator>,
): Promise<Administrator> {
  requireHeld(ctx.actor, given.permissions)
  try {
    return await ctx.transaction(async (ctx) => {
      await requireFree(ctx.db, teamCap)
      const row = await insertUser(ctx.db, {
        id: randomUUIDv7(),
        email: given.email,
        name: given.name ?? null,
        role: 'admin',
        permissions: [...new Set(given.permissions)],
        passwordHash: null,
        preferences: { mode: null },
      })
      const issued = await issueAccountToken(ctx, row.id, 'team_invite')
      const { id: userId, email } = row
      await ctx.emit('team.invited', { userId, email, inviter: ctx.actor.email, ...issued })
      return describe(ctx, row)
    })
  } catch (error) {
    throw emailTaken(error)
  }
}

/** The current row of the person, locked until the transaction ends. */
async function lockOther(ctx: Ctx<User>, id: string): Promise<UserRow> {
  const [row] = await store.lockAdministrators(ctx.db, [id])
  if (!row) throw new Problem('not_found', 'There is no such administrator')
  if (row.superAdmin)
    throw new Problem(
      'conflict',
      'The super administrator has every permission and cannot be removed: transfer the role first',
    )
  if (row.id === ctx.actor.id)
    throw new Problem('conflict', 'You cannot change or remove yourself: ask another administrator')
  return row
}

export async function editPermissions(
  ctx: Ctx<User>,
  target: UserRow,
  wanted: readonly AdminPermission[],
): Promise<Administrator> {
  return ctx.transaction(async (ctx) => {
    const row = await lockOther(ctx, target.id)
    const present = new Set(row.permissions)
    const next = new Set(wanted)
    requireHeld(ctx.actor, [...present.symmetricDifference(next)])
    await store.setRights(ctx.db, row.id, { superAdmin: false, permissions: [...next] })
    await refreshRights(ctx, row.id)
    return describe(ctx, { ...row, permissions: [...next] })
  })
}

/** Removes every second factor of an administrator who lost them; another is set up at the next sign-in. */
export async function removeFactors(ctx: Ctx<User>, target: UserRow): Promise<void> {
  if (target.superAdmin)
    throw new Problem(
      'conflict',
      'Nobody in the panel can do this for the super administrator: run `npm run reset-second-factor` on the machine of the control plane',
    )
  await ctx.transaction(async (ctx) => {
    const row = await lockOther(ctx, target.id)
    // It gives the account to whoever knows the password, so the same rule as for removing applies.
    requireHeld(ctx.actor, row.permissions)
    if (!(await removeEveryFactor(ctx, row, 'removedByHost')))
      throw new Problem('invalid_state', 'This administrator has no second factor')
  })
}

/** Removes an administrator with their sessions and API tokens. */
export async function remove(ctx: Ctx<User>, target: UserRow): Promise<void> {
  try {
    await ctx.transaction(async (ctx) => {
      const row = await lockOther(ctx, target.id)
      // Removing somebody revokes all their permissions, so the same rule applies.
      requireHeld(ctx.actor, row.permissions)
      await refreshRights(ctx, row.id)
      await store.deleteAdministrator(ctx.db, row.id)
    })
  } catch (error) {
    if (databaseFault(error)?.code !== '23503') throw error
    throw new Problem(
      'in_use',
      'The administrator owns servers: transfer them to somebody else first',
    )
  }
}
