import { randomUUID } from 'node:crypto'
import type pg from 'pg'

const PLANS = 10
/** Of every server that is sold here. */
export const SHOP_SIZE = { memoryMb: 64, cpuPercent: 1, diskMb: 64 }

export interface ShopRows {
  /** Each sells a small server, by the month. */
  readonly planIds: readonly string[]
  /** Sessions of customers who may buy. */
  readonly cookies: readonly string[]
}

/** Plans that are for sale, and customers with a session. */
export async function insertShop(
  pool: pg.Pool,
  given: { templateId: string; customers: number },
): Promise<ShopRows> {
  const preset = { ...SHOP_SIZE, templateIds: [given.templateId], locations: 'any' }
  const { rows: made } = await pool.query<{ id: string }>(
    `with plan as (
       insert into plans (id, name, kind, preset, visibility, stock)
       select gen_random_uuid(), 'Plan ' || n, 'server', $1, 'public', 1000000000
       from generate_series(1, $2::int) n returning id),
     price as (
       insert into plan_prices (id, plan_id, cycle, currency, amount)
       select gen_random_uuid(), id, 'monthly', 'EUR', 900 from plan)
     select id from plan`,
    [JSON.stringify(preset), PLANS],
  )
  const secret = randomUUID()
  await pool.query(
    `with buyer as (
       insert into users (id, email, role, preferences)
       select gen_random_uuid(), 'buyer' || n || '@example.org', 'customer', '{"mode":null}'
       from generate_series(1, $1::int) n returning id, email)
     insert into sessions (id, user_id, token_hash, user_agent, address, expires_at, last_seen_at)
     select gen_random_uuid(), id, sha256(convert_to($2 || email, 'UTF8')), 'bench', '127.0.0.1',
       now() + interval '7 days', now() + interval '1 hour' from buyer`,
    [given.customers, secret],
  )
  const cookies = Array.from(
    { length: given.customers },
    (_, at) => `panel_session=${secret}buyer${at + 1}@example.org`,
  )
  return { planIds: made.map(({ id }) => id), cookies }
}

/**
 * Monthly subscriptions to an account plan, at every day of their month; those of the coming week
 * have their invoice, a fiftieth is overdue. None is looked at before tomorrow.
 */
export async function insertSubscriptions(pool: pg.Pool, count: number): Promise<void> {
  await pool.query(
    `with plan as (
       insert into plans (id, name, kind, visibility)
       values (gen_random_uuid(), 'Account', 'account', 'public') returning id)
     insert into plan_prices (id, plan_id, cycle, currency, amount)
     select gen_random_uuid(), id, 'monthly', 'EUR', 900 from plan`,
  )
  await pool.query(
    `insert into subscriptions (id, user_id, plan_id, price_id, status, anchor, period_start, period_end,
       past_due_since, next_at)
     select uuidv7(), own.id, price.plan_id, price.id, case when i % 50 = 0 then 'past_due' else 'active' end,
       began.at, began.at, began.at + interval '1 month',
       case when i % 50 = 0 then now() - interval '2 days' end, now() + interval '1 day'
     from generate_series(1, $1::int) i
       cross join lateral (select date_trunc('second', now()) - (i % 28) * interval '1 day'
         - (i % 1440) * interval '1 minute' as at) began
       join (select id, row_number() over (order by id) - 1 as n, count(*) over () as people
         from users where role = 'customer') own on own.n = i % own.people
       join plans plan on plan.name = 'Account'
       join plan_prices price on price.plan_id = plan.id`,
    [count],
  )
  await pool.query(
    `insert into invoices (id, number, user_id, subscription_id, plan_name, buyer, kind, status, currency,
       lines, total, period_start, period_end, issued_at, due_at)
     select uuidv7(), 'OLD-' || row_number() over (), user_id, id, 'Account', '{"email":"","name":""}',
       'renewal', 'open', 'EUR', '[]', 900, period_end, period_end + interval '1 month', now() - interval '7 days',
       case when status = 'past_due' then past_due_since else period_end end
     from subscriptions where status = 'past_due' or period_end < now() + interval '6 days'`,
  )
  await pool.query('analyze subscriptions, invoices')
}
