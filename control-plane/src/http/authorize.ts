import { SCOPE_NEEDS, type TokenScope } from '@lodge/shared/permissions.ts'
import { isOpenToSuspended } from '@lodge/shared/restriction.ts'
import { type Actor, hasPermission, type User } from '../actor.ts'
import type { Ctx } from '../context.ts'
import { notFound, Problem } from '../problem.ts'
import { type Access, isOpenToViewers } from './access.ts'
import type { Declared } from './endpoint.ts'
import { isRaw } from './raw-body.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Limits an administrator who views as a customer to reading. Runs before anything is counted,
 * loaded or parsed.
 * @param believed the page was opened to view. Its changes are refused even after the viewing has
 * ended: the session has the administrator's rights again, but the page still shows the customer's
 * panel.
 */
export function requireReading(spec: Declared, actor: Actor, believed: boolean): void {
  if (isOpenToViewers(spec)) return
  refuseViewer(actor)
  if (believed && actor.kind === 'user')
    throw new Problem(
      'viewing_only',
      'Viewing as a customer has ended: reload the page to act as yourself',
    )
}

/** Refuses an administrator who views as a customer. */
export function refuseViewer(actor: Actor): void {
  if (actor.kind !== 'user' || !actor.viewer) return
  throw new Problem(
    'viewing_only',
    `You are viewing as ${actor.email}: changes and consoles are off. Stop viewing to act as yourself`,
  )
}

/**
 * First half, before the body is read: whether this kind of caller is admitted and may do this at
 * all.
 */
export function admit(access: Access, actor: Actor): void {
  if (access.who === 'anyone') return
  if (access.who === 'agent') {
    if (actor.kind === 'user' && actor.scopes)
      throw new Problem('token_not_allowed', 'No API token reaches this: it is for node agents')
    if (actor.kind !== 'agent')
      throw new Problem('authentication_required', 'Only a node agent may do this')
    return
  }
  if (actor.kind === 'agent') throw new Problem('forbidden', 'A node agent may not do this')
  if (actor.kind !== 'user') throw new Problem('authentication_required', 'Sign in to do this')
  requireUsable(actor, access)
  if (actor.plugin) requireForPlugins(access, actor)
  else if (actor.scopes) requireScope(access, actor.scopes)
  if (access.who === 'admin') {
    if (actor.role !== 'admin') throw new Problem('forbidden', 'Only an administrator may do this')
    requirePermission(actor, access.may)
  } else if (access.admin) {
    if (actor.role !== 'admin') throw new Problem('forbidden', 'Only an administrator may do this')
    requirePermission(actor, access.admin)
  }
  if (access.stepUp) requireProof(actor)
}

const PROOF_MS = 10 * 60_000

export const barred = () =>
  new Problem(
    'ip_not_allowed',
    'Administrators cannot sign in from this address: use an allowed network',
  )

export const accountSuspended = () =>
  new Problem(
    'account_suspended',
    'This account is suspended: ask your host why and what can be done',
  )

/**
 * Refuses administrators at a barred address, suspended accounts, and those without a required
 * second factor, except where the endpoint allows them. Checked on every request, so changes to the
 * account take effect at once.
 */
export function requireUsable(actor: User, access?: Access): void {
  if (actor.barred) throw barred()
  const open = access?.who === 'user' ? access : undefined
  if (actor.suspended && !isOpenToSuspended(open?.whileSuspended, actor.suspended))
    throw accountSuspended()
  if (!actor.mustSetUpFactor || open?.settingUp) return
  throw new Problem(
    'second_factor_setup_required',
    'Administrators need a second factor: set one up under Account, Security',
  )
}

/**
 * Requires recent step-up: an unattended browser or a stolen cookie must not suffice for dangerous
 * endpoints. A token has no person to confirm, so its scopes decide.
 */
function requireProof(actor: User): void {
  if (actor.scopes) return
  if (actor.provedAt && Date.now() - actor.provedAt.getTime() < PROOF_MS) return
  throw new Problem(
    'reauthentication_required',
    'Confirm your identity: with a second factor, or with your password if you have none',
  )
}

const notForPlugins = () =>
  new Problem('forbidden', 'No plugin reaches this: a person has to do it in the panel')

/** Plugins get no files and streams: the answer to a plugin is held in the panel's memory as a whole. */
export function requireShort({ streams, body }: Declared, actor: Actor): void {
  if (actor.kind === 'user' && actor.plugin && (streams || isRaw(body))) throw notForPlugins()
}

/**
 * A plugin has an administrator's permissions but is not a person: it owns nothing, and nobody can confirm
 * an identity for it.
 */
function requireForPlugins(access: Access, actor: User): void {
  if (access.who !== 'admin' && access.who !== 'user') return
  const forUsers = access.who === 'user' ? access : undefined
  const isPersonal =
    forUsers !== undefined && (forUsers.own || forUsers.orNew || forUsers.hiddenFromViewers)
  if (isPersonal || access.stepUp || access.stepUpWhen) throw notForPlugins()
  if (!forUsers || forUsers.admin || forUsers.on) return
  if (!forUsers.token) throw notForPlugins()
  requirePermission(actor, SCOPE_NEEDS[forUsers.token])
}

/** Owns nothing. A plugin acts as this user where ownership counts, whatever its administrator owns. */
const NOBODY = '00000000-0000-0000-0000-000000000000'

/** A token reaches only endpoints that declare its scope, whatever its creator may do. */
function requireScope(access: Access, scopes: ReadonlySet<TokenScope>): void {
  const scope = 'token' in access ? access.token : undefined
  if (!scope) throw new Problem('token_not_allowed', 'No API token reaches this: use the panel')
  if (scopes.has(scope)) return
  throw new Problem('insufficient_scope', `This needs a token with the scope ${scope}`, {
    fields: { scope },
  })
}

/**
 * Checks that depend on the body, before anything is loaded: a scope may allow only some bodies,
 * and only some may need step-up.
 */
export function admitBody(access: Access, actor: Actor, body: unknown): void {
  if (actor.kind !== 'user') return
  if (
    actor.scopes &&
    !actor.plugin &&
    'tokenWhen' in access &&
    access.tokenWhen &&
    !access.tokenWhen(body)
  )
    throw new Problem('token_not_allowed', 'No API token reaches this: use the panel')
  if ('stepUpWhen' in access && access.stepUpWhen?.(body)) requireProof(actor)
}

function requirePermission(actor: User, permission: Parameters<typeof hasPermission>[1]): void {
  if (hasPermission(actor, permission)) return
  throw new Problem(
    'permission_required',
    `This needs the permission ${permission}; the super administrator can grant it`,
    {
      fields: { permission },
    },
  )
}

/** Whether the path names something that does not exist yet, where an endpoint allows it. */
export const isNew = (access: Access, { id }: Readonly<Record<string, string>>): boolean =>
  id === 'new' && access.who === 'user' && access.orNew === true

/** Second half: loads the resource of the path with the caller's permissions. */
export async function load(
  ctx: Ctx,
  spec: Declared,
  params: Readonly<Record<string, string>>,
): Promise<object> {
  const { access } = spec
  if (!('on' in access) || !access.on || isNew(access, params)) return {}
  const { on } = access
  const thing: unknown = await on.loads(ctx, params.id ?? '')
  if (thing === undefined) throw notFound(on.name)
  if (ctx.actor.kind === 'user') {
    const who = ctx.actor.plugin ? { ...ctx.actor, id: NOBODY } : ctx.actor
    if (!on.permits(who, thing, undefined)) throw notFound(on.name)
    if (access.who === 'user' && access.may !== undefined && !on.permits(who, thing, access.may)) {
      throw new Problem(
        'permission_required',
        `This needs the permission ${access.may} on the ${on.name}; its owner can grant it`,
        {
          fields: { permission: access.may },
        },
      )
    }
  }
  return { [on.name]: thing }
}
