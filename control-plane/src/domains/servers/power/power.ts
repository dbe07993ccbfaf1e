import type { JobTitle, NodeStep } from '@lodge/shared/job-words.ts'
import { ACTION_RIGHTS } from '@lodge/shared/server-permission-list.ts'
import { stopEffect, whyNot } from '@lodge/shared/server-status.ts'
import type { ServerAction } from '@lodge/shared/servers.ts'
import { hasPermission, type User } from '../../../actor.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { requireQuota } from '../../limits/index.ts'
import { findTemplate } from '../../templates/index.ts'
import { requireOnNode } from '../abilities.ts'
import { requireRight, type SharedServer } from '../access/access.ts'
import { changeDesired, oneMoreRunning } from '../desired-state/desired-state.ts'
import { byNode, operate } from '../operation.ts'
import type { ServerRow } from '../tables.ts'
import { type ServerView, statusOf } from '../view/view.ts'
import { type BackupAction, backupAction } from './backup-action.ts'
import { causeOf, liftedBy, liftSuspension, suspend } from './suspension.ts'

type PowerAction = Exclude<ServerAction, 'backup' | 'restore'>
/**
 * These need the node now; the others only set a desired state, which the node applies when it is
 * back.
 */
const NEEDS_NODE: readonly ServerAction[] = ['start', 'restart', 'reinstall']

const CHANGES: Readonly<
  Record<Exclude<PowerAction, 'suspend' | 'unsuspend'>, (row: ServerRow) => Partial<ServerRow>>
> = {
  start: (row) => ({
    desiredPower: 'on',
    desiredRun: row.desiredRun + 1,
    desiredEnding: 'graceful',
  }),
  restart: (row) => ({
    desiredPower: 'on',
    desiredRun: row.desiredRun + 1,
    desiredEnding: 'graceful',
  }),
  stop: () => ({ desiredPower: 'off', desiredEnding: 'graceful' }),
  kill: () => ({ desiredPower: 'off', desiredEnding: 'kill' }),
  reinstall: (row) => ({ desiredInstall: row.desiredInstall + 1, desiredEnding: 'graceful' }),
}

const STEPS: Readonly<Record<PowerAction, readonly NodeStep[]>> = {
  start: ['Prepare', 'Start'],
  restart: ['Stop', 'Prepare', 'Start'],
  stop: ['Stop'],
  kill: ['Kill'],
  reinstall: ['Stop', 'Prepare the image', 'Install'],
  suspend: ['Stop'],
  unsuspend: ['Resume'],
}

const TITLES: Readonly<Record<PowerAction, (server: string) => JobTitle>> = {
  start: (server) => `Start ${server}`,
  stop: (server) => `Stop ${server}`,
  restart: (server) => `Restart ${server}`,
  kill: (server) => `Kill ${server}`,
  reinstall: (server) => `Reinstall ${server}`,
  suspend: (server) => `Suspend ${server}`,
  unsuspend: (server) => `Resume ${server}`,
}

/** Title of what the action does to this server now: nothing is stopped where nothing runs. */
function titleOf(action: PowerAction, view: ServerView): JobTitle {
  const ends = action === 'stop' || action === 'kill'
  const effect = ends && stopEffect({ status: statusOf(view), restartAt: view.restartAt })
  if (effect === 'cancels_restart') return `Cancel restart of ${view.name}`
  if (effect === 'marks_stopped') return `Mark ${view.name} as stopped`
  return TITLES[action](view.name)
}

/** The permission an action needs; only the host may suspend. */
function requireActionPermission(actor: User, server: SharedServer, action: ServerAction): void {
  if (action !== 'suspend' && action !== 'unsuspend') {
    requireRight(actor, server, ACTION_RIGHTS[action])
    return
  }
  if (hasPermission(actor, 'servers.suspend')) return
  throw new Problem('permission_required', 'Suspending needs the permission servers.suspend', {
    fields: { permission: 'servers.suspend' },
  })
}

/**
 * Performs an action: changes the desired state immediately and returns a job that ends as done,
 * failed or superseded. A later action supersedes an earlier one; none is dropped.
 */
export async function act(
  ctx: Ctx<User>,
  server: SharedServer,
  action: ServerAction,
  options: Omit<BackupAction, 'action'>,
): Promise<{ jobId: string }> {
  requireActionPermission(ctx.actor, server, action)
  if (action === 'backup' || action === 'restore') {
    return ctx.catalogue.answers.to(backupAction)(ctx, server, { ...options, action })
  }
  if (action === 'reinstall' && options.confirm !== true) {
    throw new Problem(
      'confirmation_required',
      'Reinstalling runs the installer over the existing files: send confirm as true',
    )
  }
  const { actor } = ctx
  return operate(ctx, server, async (ctx, { owner, row, view }) => {
    if (action === 'reinstall') await requireInstaller(ctx, row)
    requirePossible(action, view)
    // A server that is on already counts as running, so a restart takes nothing more.
    if ((action === 'start' || action === 'restart') && row.desiredPower === 'off') {
      await requireQuota(ctx, owner, oneMoreRunning, { force: options.force, of: row })
    }
    return {
      title: titleOf(action, view),
      supersedesStarts: action !== 'suspend' && action !== 'unsuspend',
      desired: (ctx, row) => apply(ctx, row, action, actor),
      work: byNode(`server.${action}`, STEPS[action]),
    }
  })
}

/** A template without an installer is reinstalled by creating its container anew. */
async function requireInstaller(ctx: Ctx, row: ServerRow): Promise<void> {
  const template = row.templateId ? await findTemplate(ctx.db, row.templateId) : undefined
  if (row.kind === 'vm' || template?.document.runtime.install)
    await requireOnNode(ctx, row, 'installer')
}

function requirePossible(action: PowerAction, view: ServerView): void {
  const status = statusOf(view)
  if (NEEDS_NODE.includes(action) && !view.nodeOnline) {
    throw new Problem(
      'node_unavailable',
      `The node ${view.nodeName} is not connected: try again when it is back`,
      { retryAfterSeconds: 15 },
    )
  }
  if (view.holds.some(({ kind }) => kind === 'set-back'))
    throw new Problem(
      'hold_active',
      'Its node has a newer state of it than the database, which was set back: an operator decides which one counts',
      { fields: { holds: view.holds } },
    )
  if (action === 'reinstall' && view.holds.some(({ kind }) => kind === 'backing-up'))
    throw new Problem('hold_active', 'The server is being backed up: wait, or cancel that job', {
      fields: { holds: view.holds },
    })
  const reason = whyNot(action, status)
  if (reason === undefined) return
  if (
    status === 'suspended' ||
    status === 'deletion_scheduled' ||
    status === 'deleting' ||
    status === 'migrating' ||
    status === 'restoring' ||
    status === 'snapshotting'
  ) {
    throw new Problem('hold_active', reason, { fields: { holds: view.holds } })
  }
  throw new Problem('invalid_state', reason, { fields: { serverStatus: status } })
}

async function apply(
  ctx: Ctx,
  row: ServerRow,
  action: PowerAction,
  actor: User,
): Promise<ServerRow> {
  if (action === 'suspend') return suspend(ctx, row, causeOf(actor))
  if (action === 'unsuspend') return liftSuspension(ctx, row, liftedBy(actor))
  return changeDesired(ctx, row, CHANGES[action](row))
}
