import type { Lodge } from '../../support/stack.ts'

/** A subscription that is paid for a month, and cancelled, so that it can be resumed. */
export async function subscriptionOf(lodge: Lodge, userId: string, id?: string): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `with plan as (
       insert into plans (id, name, kind) values (gen_random_uuid(), gen_random_uuid(), 'account') returning id),
     price as (
       insert into plan_prices (id, plan_id, cycle, currency, amount)
       select gen_random_uuid(), id, 'monthly', 'EUR', 500 from plan returning id, plan_id)
     insert into subscriptions (id, user_id, plan_id, price_id, status, anchor, period_start, period_end, cancel_at_period_end)
     select coalesce($2, gen_random_uuid()), $1, plan_id, id, 'active', now(), now(), now() + interval '1 month', true
     from price returning id`,
    [userId, id ?? null],
  )
  return rows[0]?.id ?? ''
}

/** An open invoice. */
export async function invoiceOf(lodge: Lodge, userId: string): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `insert into invoices (id, number, user_id, plan_name, buyer, kind, status, currency, lines, total, issued_at, due_at)
     values (gen_random_uuid(), gen_random_uuid(), $1, 'Plan', '{"email": "a@example.com", "name": ""}', 'first',
       'open', 'EUR', '[]', 500, now(), now() + interval '7 days') returning id`,
    [userId],
  )
  return rows[0]?.id ?? ''
}

/** A plan that everybody can buy for 9.99 a month. */
export async function planForSale(lodge: Lodge, id?: string): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `with plan as (
       insert into plans (id, name, kind, visibility)
       values (coalesce($1, gen_random_uuid()), gen_random_uuid(), 'account', 'public') returning id)
     insert into plan_prices (id, plan_id, cycle, currency, amount)
     select gen_random_uuid(), id, 'monthly', 'EUR', 999 from plan returning plan_id as id`,
    [id ?? null],
  )
  return rows[0]?.id ?? ''
}

/** An event that a payment provider reported and that is not processed. */
export async function providerEvent(lodge: Lodge): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `insert into provider_events (id, provider, event_id, type, objects, state, received_at)
     values (gen_random_uuid(), 'none', gen_random_uuid(), 'x', '[]', 'ignored', now()) returning id`,
  )
  return rows[0]?.id ?? ''
}

/** A refund with its credit note. */
export async function creditNoteOf(lodge: Lodge, userId: string): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `insert into refunds (id, invoice_id, number, amount, tax, way, state, reason, created_at, settled_at)
     values (gen_random_uuid(), $1, gen_random_uuid(), 100, 0, 'host', 'succeeded', '', now(), now()) returning id`,
    [await invoiceOf(lodge, userId)],
  )
  return rows[0]?.id ?? ''
}
