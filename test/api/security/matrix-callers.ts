import { AdminPermission } from '@lodge/shared/permissions.ts'
import { ServerPermission, withImplied } from '@lodge/shared/server-permissions.ts'
import type { Declared } from '../../../control-plane/src/http/endpoint.ts'
import {
  type Caller as MatrixCaller,
  RESTRICTIONS,
} from '../../../control-plane/src/http/reference/matrix.ts'
import type { Caller } from '../../support/caller.ts'
import { enoughFor, neededOfCollaborator } from '../support/things.ts'
import { viewerOf } from '../support/viewer.ts'
import type { MatrixGround } from './matrix-ground.ts'

/** A caller of an endpoint. */
export interface Who {
  readonly caller: Caller
  /** The owner of the thing in the path. */
  readonly owner: string
  readonly headers?: Readonly<Record<string, string>>
  /** Runs before things are created for the owner. */
  readonly reopen?: () => Promise<void>
  /** Runs once the thing exists. */
  readonly prepare?: () => Promise<void>
}
export type Make = (ground: MatrixGround, spec: Declared) => Promise<Who>

const permissions = AdminPermission.options

/** Every kind of caller of the matrix that has, or lacks, a session. */
export const callers = {
  anonymous: async ({ lodge, stranger }) => ({ caller: lodge.anonymous(), owner: stranger }),
  customer: async ({ lodge, stranger }) => ({ caller: await lodge.customer(), owner: stranger }),
  owner: async ({ lodge }) => {
    const caller = await lodge.customer()
    return { caller, owner: caller.id }
  },
  collaborator: async (ground, spec) => {
    const needed = neededOfCollaborator(spec.access)
    return collaborator(ground, needed === undefined ? [] : withImplied([needed]))
  },
  'collaborator without permission': async (ground, spec) => {
    const needed = neededOfCollaborator(spec.access)
    const others = ServerPermission.options.filter(
      (one) => !needed || !withImplied([one]).includes(needed),
    )
    return collaborator(ground, others)
  },
  'admin without permission': limitedTo(() => []),
  'admin with permission': limitedTo(enoughFor),
  'super admin': async (ground) => ({
    caller: await superAdmin(ground),
    owner: ground.stranger,
  }),
  'admin without second factor': async ({ lodge, stranger }) => {
    const caller = await lodge.limitedAdmin(permissions)
    await lodge.database.pool.query('update users set factor_due_at = null where id = $1', [
      caller.id,
    ])
    return { caller, owner: stranger }
  },
  'suspended owner': ownerWho('suspended', 'suspended owner'),
  'suspended owner who exports': ownerWho('suspended', 'suspended owner who exports'),
  'suspended owner without sign-in': ownerWho('suspended', 'suspended owner without sign-in'),
  'pending owner': ownerWho('pending'),
  'admin from elsewhere': async ({ lodge, stranger }) => {
    const { id, cookie = '' } = await lodge.limitedAdmin(permissions)
    const caller = lodge.anonymous({ cookie, address: '192.0.2.1' }).named(id, '')
    return { caller, owner: stranger }
  },
  viewer: async ({ lodge }) => {
    const customer = await lodge.customer()
    return { caller: await viewerOf(lodge, customer), owner: customer.id }
  },
} satisfies Readonly<Record<string, Make>>

/** An administrator with the permissions that `may` returns for the endpoint. */
export function limitedTo(may: (spec: Declared) => readonly AdminPermission[]): Make {
  return async ({ lodge, stranger }, spec) => ({
    caller: await lodge.limitedAdmin(may(spec)),
    owner: stranger,
  })
}

/** An administrator with every permission, whose session or account a statement then changes. */
export function changedBy(statement: string): Make {
  return async ({ lodge, stranger }) => {
    const caller = await lodge.limitedAdmin(permissions)
    await lodge.database.pool.query(statement, [caller.id])
    return { caller, owner: stranger }
  }
}

/** An anonymous caller with these headers. */
export function withHeaders(headers: (ground: MatrixGround) => Record<string, string>): Make {
  return async (ground) => ({
    caller: ground.lodge.anonymous(),
    owner: ground.stranger,
    headers: headers(ground),
  })
}

/** A token together with somebody's cookie. */
export function besideCookie(
  whose: (ground: MatrixGround) => Promise<Caller>,
  secret: (ground: MatrixGround) => string | undefined,
): Make {
  return async (ground) => ({
    caller: await whose(ground),
    owner: ground.stranger,
    headers: { authorization: `Bearer ${secret(ground)}` },
  })
}

/** A fresh session of the first administrator. */
export async function superAdmin({ lodge }: MatrixGround): Promise<Caller> {
  const { id } = await lodge.admin()
  return lodge.session(id)
}

/** An administrator who owns the thing and whose last step-up is just too long ago. */
export const withoutStepUp: Make = async ({ lodge }, spec) => {
  const caller = await lodge.limitedAdmin(enoughFor(spec))
  await lodge.database.pool.query(
    `update sessions set proved_at = now() - interval '10 minutes 1 second' where user_id = $1`,
    [caller.id],
  )
  return { caller, owner: caller.id }
}

/** A customer whose account changed state while a session was open. */
function ownerWho(state: 'suspended' | 'pending', as?: MatrixCaller): Make {
  return async ({ lodge }) => {
    const caller = await lodge.customer()
    const become = async (next: string, restriction: unknown = null) => {
      await lodge.database.pool.query(
        'update users set state = $2, restriction = $3 where id = $1',
        [caller.id, next, restriction],
      )
    }
    return {
      caller,
      owner: caller.id,
      // Nothing can be created for a closed account.
      reopen: () => become('active'),
      prepare: () => become(state, as ? RESTRICTIONS[as] : null),
    }
  }
}

async function collaborator(ground: MatrixGround, may: readonly ServerPermission[]): Promise<Who> {
  const { lodge } = ground
  const [owner, caller] = [await lodge.customer(), await lodge.customer()]
  const prepare = () => share(ground, owner.id, caller.id, may)
  return { caller, owner: owner.id, prepare }
}

/** Shares every server of an owner with somebody. */
async function share(
  { lodge }: MatrixGround,
  ownerId: string,
  userId: string,
  permissions: readonly ServerPermission[],
): Promise<void> {
  await lodge.database.pool.query(
    `insert into server_collaborators (server_id, user_id, permissions)
     select id, $2, $3 from servers where owner_id = $1
     on conflict (server_id, user_id) do update set permissions = excluded.permissions`,
    [ownerId, userId, [...permissions]],
  )
}
