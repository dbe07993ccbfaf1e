import { randomUUIDv7 } from 'node:crypto'
import type { CreateCustomer, Customer, EditCustomer } from '@lodge/shared/accounts.ts'
import type { LimitLayer } from '@lodge/shared/limits/keys.ts'
import { CUSTOMER_FIELDS, CUSTOMER_SORTS } from '@lodge/shared/lists/customers.ts'
import { parseFilter } from '@lodge/shared/lists/filter.ts'
import { z } from 'zod'
import { hasPermission } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { cutPage, decodeCursor, pageQuery } from '../../db/cursor.ts'
import { filterOf } from '../../db/filter.ts'
import { orderOf, positionIn, sortOf } from '../../db/ordered.ts'
import { notFound, Problem } from '../../problem.ts'
import { emailTaken } from './email-taken.ts'
import { deleteFormerAddressesOf } from './former-address-store.ts'
import { nameOfInviter } from './inviter.ts'
import { CUSTOMER_SORT_KEYS, listCustomers } from './list-store.ts'
import { hashPassword } from './passwords.ts'
import { serversOwned } from './questions.ts'
import { deleteUser, insertUser, lockOwner, updateUser } from './store.ts'
import type { UserRow } from './tables.ts'

const view = (row: UserRow, servers: number): Customer => ({
  id: row.id,
  email: row.email,
  name: row.name,
  state: row.state,
  servers,
  quota: row.quota,
  createdAt: row.createdAt.toISOString(),
})

const countServers = ({ db, catalogue }: Ctx, ids: readonly string[]) =>
  catalogue.answers.to(serversOwned)(db, ids)

export async function describeCustomer(ctx: Ctx, row: UserRow): Promise<Customer> {
  return view(row, (await countServers(ctx, [row.id])).get(row.id) ?? 0)
}

const wanted = {
  q: z.string().trim().max(100).optional(),
  filter: filterOf(CUSTOMER_FIELDS, 'state:suspended email:*@example.com ann'),
  sort: sortOf(CUSTOMER_SORTS).default('email'),
}

/** Filter and order of a list of customers. */
export const CustomersWanted = z.object(wanted)
export const CustomerQuery = z.object({ ...pageQuery, ...wanted })

type Query = Omit<z.output<typeof CustomerQuery>, 'limit'> & { readonly limit: number }

export async function pageOfCustomers(ctx: Ctx, query: Query) {
  const order = orderOf(query.sort, CUSTOMER_SORT_KEYS)
  const wanted = {
    q: query.q,
    terms: parseFilter(query.filter ?? '', CUSTOMER_FIELDS),
    after: decodeCursor(query.after),
    limit: query.limit,
  }
  const found = await listCustomers(ctx.db, wanted, order)
  const page = cutPage(found, query.limit, ({ row, key }) => positionIn(order, { id: row.id, key }))
  const counts = await countServers(
    ctx,
    page.items.map(({ row }) => row.id),
  )
  return { ...page, items: page.items.map(({ row }) => view(row, counts.get(row.id) ?? 0)) }
}

/** Creates a customer; without a password, they get an invitation by mail. */
export async function createCustomer(
  ctx: Ctx,
  given: z.output<typeof CreateCustomer>,
): Promise<Customer> {
  const passwordHash = given.password === undefined ? null : await hashPassword(given.password)
  try {
    return await ctx.transaction(async (ctx) => {
      const row = await insertUser(ctx.db, {
        id: randomUUIDv7(),
        email: given.email,
        name: given.name ?? null,
        role: 'customer',
        passwordHash,
        preferences: { mode: null },
      })
      if (passwordHash === null) {
        const inviter = await nameOfInviter(ctx)
        await ctx.emit('customer.invited', { userId: row.id, email: row.email, inviter })
      }
      return view(row, 0)
    })
  } catch (error) {
    throw emailTaken(error)
  }
}

export async function editCustomer(
  ctx: Ctx,
  customer: UserRow,
  change: z.output<typeof EditCustomer>,
): Promise<Customer> {
  if (change.quota && !(ctx.actor.kind === 'user' && hasPermission(ctx.actor, 'customers.quota'))) {
    throw new Problem(
      'permission_required',
      'Setting limits needs the permission customers.quota',
      {
        fields: { permission: 'customers.quota' },
      },
    )
  }
  try {
    return await ctx.transaction(async (ctx) => {
      const present = await lockOwner(ctx.db, customer.id)
      const row = await updateUser(ctx.db, customer.id, {
        ...(change.email !== undefined && { email: change.email }),
        ...(change.name !== undefined && { name: change.name }),
        ...(change.quota && { quota: mergeQuota(present?.quota ?? {}, change.quota) }),
      })
      if (!present || !row) throw notFound('customer')
      const { id: userId, email: newEmail } = row
      if (newEmail !== present.email) {
        // Not undoable: the old address may have been a stranger's, entered by mistake. For the same
        // reason nobody takes the account back to an address that it had before.
        await deleteFormerAddressesOf(ctx.db, userId)
        const { email } = present
        await ctx.emit('account.email_changed', { userId, email, newEmail, undo: null })
      }
      return describeCustomer(ctx, row)
    })
  } catch (error) {
    throw emailTaken(error)
  }
}

/** Removes a customer who owns nothing any more, with their sessions, links and shared access. */
export async function deleteCustomer(ctx: Ctx, { id, email }: UserRow): Promise<void> {
  await ctx.transaction(async (ctx) => {
    // Locked, so that no server is created between the count and the deletion.
    if (!(await lockOwner(ctx.db, id))) throw notFound('customer')
    const servers = (await countServers(ctx, [id])).get(id) ?? 0
    if (servers > 0)
      throw new Problem(
        'in_use',
        `${email} still owns ${servers === 1 ? 'a server' : `${servers} servers`}: delete them first`,
      )
    await ctx.emit('customer.deleted', { userId: id })
    await deleteUser(ctx.db, id)
  })
}

/** Null clears a key, so the layer below applies again. */
function mergeQuota(present: LimitLayer, change: LimitLayer): LimitLayer {
  return Object.fromEntries(
    Object.entries({ ...present, ...change }).filter(
      ([, value]) => value !== null && value !== undefined,
    ),
  )
}
