import { expect } from 'vitest'
import { KNOWN } from './first-schema.ts'
import type { Upgrade } from './upgrade.ts'

const id = (end: string) => `0bc40000-0000-7000-8000-0000000000${end}`
const [PLAN, PRICE, USUAL, LONGER] = [id('01'), id('02'), id('03'), id('04')]
const [GIVEN, VOIDED, PAID] = [id('07'), id('08'), id('09')]

const monthly = (own: string, until: string) =>
  `insert into subscriptions (id, user_id, plan_id, price_id, status, anchor, period_start, period_end)
   values ('${own}', '${KNOWN.customer}', '${PLAN}', '${PRICE}', 'active', '2026-01-31Z', '2026-01-31Z', '${until}Z')`

const renewal = (own: string, status: 'void' | 'paid') =>
  `insert into invoices (id, number, user_id, subscription_id, plan_name, buyer, kind, status, currency, lines, total,
     period_start, issued_at, due_at)
   values (gen_random_uuid(), gen_random_uuid(), '${KNOWN.customer}', '${own}', 'Changed late',
     '{"email": "a@example.com", "name": ""}', 'renewal', '${status}', 'EUR', '[]', 0, '2026-01-31Z', now(), now())`

/** Free time is recorded for the periods that had some, and backups that are owed have a table. */
export const upgrade: Upgrade = {
  before: [
    `insert into plans (id, name, kind) values ('${PLAN}', 'Changed late', 'account')`,
    `insert into plan_prices (id, plan_id, cycle, currency, amount)
     values ('${PRICE}', '${PLAN}', 'monthly', 'EUR', 500)`,
    monthly(USUAL, '2026-02-28'),
    monthly(LONGER, '2026-03-10'),
    ...[GIVEN, VOIDED, PAID].map((own) => monthly(own, '2026-02-28')),
    ...[renewal(VOIDED, 'void'), renewal(PAID, 'void'), renewal(PAID, 'paid')],
    `insert into billing_steps (subscription_id, step, since, done_at)
     values ('${USUAL}', 'last_backup_owed ${id('05')}', '2026-03-01Z', '2026-03-01Z'),
       ('${LONGER}', 'last_backup_owed ${id('06')}', '2026-03-01Z', '2026-03-02Z'),
       ('${LONGER}', 'gift', '2026-03-01Z', '2026-03-01Z'),
       ('${GIVEN}', 'gift', '2026-01-31Z', '2026-01-20Z')`,
  ],
  changes: ['billing_steps'],
  async after(pool) {
    const free = await pool.query(
      `select id, free_from from subscriptions where plan_id = '${PLAN}' order by id`,
    )
    expect(free.rows).toEqual([
      { id: USUAL, free_from: null },
      { id: LONGER, free_from: new Date('2026-02-28Z') },
      { id: GIVEN, free_from: new Date('2026-01-31Z') },
      { id: VOIDED, free_from: new Date('2026-01-31Z') },
      { id: PAID, free_from: null },
    ])
    const steps = await pool.query(
      `select step from billing_steps where subscription_id in ('${USUAL}', '${LONGER}')`,
    )
    expect(steps.rows).toEqual([{ step: 'gift' }])
    const owed = await pool.query(
      `select server_id, tried_at from owed_backups where subscription_id in ('${USUAL}', '${LONGER}') order by 1`,
    )
    expect(owed.rows).toEqual([
      { server_id: id('05'), tried_at: null },
      { server_id: id('06'), tried_at: new Date('2026-03-02Z') },
    ])
  },
}
