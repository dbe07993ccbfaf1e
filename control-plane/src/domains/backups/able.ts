import { whyNot } from '@lodge/shared/server-status.ts'
import type { HoldKind } from '@lodge/shared/servers.ts'
import { type Actor, hasPermission, type User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import {
  requireNode,
  rightsOf,
  type ServerView,
  type SharedServer,
  statusOf,
} from '../servers/index.ts'
import type { BackupRow } from './tables.ts'

type Action = 'backup' | 'restore'

const isHost = (actor: Actor): boolean =>
  actor.kind === 'user' && hasPermission(actor, 'servers.backups')

/**
 * Why a server cannot be backed up or restored now, in words; null if it can.
 * @param byHost whether it is the host who does it
 */
export function whyNotNow(
  actor: Actor,
  view: ServerView,
  action: Action,
  byHost = isHost(actor),
): string | null {
  const status = statusOf(view)
  // The host may back up a suspended customer's servers.
  return whyNot(action, status === 'suspended' && byHost ? 'stopped' : status) ?? null
}

/** Holds of a server whose subscription has ended. */
const ENDED: readonly HoldKind[] = ['suspension', 'deletion']

/** Why the last backup of such a server cannot be made. */
function whyNotLast(view: ServerView): string | null {
  const holds = view.holds.filter(({ kind }) => !ENDED.includes(kind))
  return whyNot('backup', statusOf({ ...view, holds })) ?? null
}

/**
 * @param by.host whether the host does it by itself
 * @param by.isLast whether it is the backup before a deletion
 * @throws {Problem} invalid_state, hold_active, node_unavailable
 */
export function requirePossible(
  actor: Actor,
  view: ServerView,
  action: Action,
  by: { readonly host?: boolean; readonly isLast?: boolean } = {},
): void {
  const reason = by.isLast
    ? whyNotLast(view)
    : whyNotNow(actor, view, action, by.host || isHost(actor))
  if (reason === null) {
    requireNode(view)
    return
  }
  if (view.holds.length > 0)
    throw new Problem('hold_active', reason, { fields: { holds: view.holds } })
  throw new Problem('invalid_state', reason)
}

/**
 * Backups contain every file, so somebody without access to some folders may neither download nor
 * restore them.
 */
export function whyNotWhole(actor: User, server: SharedServer): string | null {
  const narrowed = rightsOf(actor, server).files.some(({ access }) => access !== 'write')
  return narrowed
    ? 'Some folders of this server are closed to you, and a backup contains all of them'
    : null
}

/** @throws {Problem} permission_required */
export function requireWhole(ctx: Ctx<User>, server: SharedServer): void {
  const reason = whyNotWhole(ctx.actor, server)
  if (reason === null) return
  throw new Problem('permission_required', `${reason}: ask the owner`, {
    fields: { permission: 'files.write' },
  })
}

/**
 * A restore of everything would fail at the damage, after reading for hours perhaps. Single files may
 * be intact.
 * @throws {Problem} invalid_state
 */
export function requireIntact({ damagedAt }: Pick<BackupRow, 'damagedAt'>): void {
  if (damagedAt === null) return
  throw new Problem(
    'invalid_state',
    'The backup is damaged: restore another one, or single files of this one. If its storage was repaired, verify it again first',
  )
}
