import { DEFAULT_SUSPENSION_OPTIONS } from '@lodge/shared/suspensions.ts'
import type { EquippedGround } from './equipped-ground.ts'
import type { SetUp, SetUps } from './set-up.ts'

/** Gives an account an active suspension, optionally with an open appeal. */
async function suspended({ lodge }: EquippedGround, id: string, appeal: boolean): Promise<void> {
  const { pool } = lodge.database
  await pool.query('delete from suspensions where customer_id = $1', [id])
  await pool.query(
    `with suspension as (
       insert into suspensions (id, customer_id, reason_code, public_reason, options, started_at)
       values (gen_random_uuid(), $1, 'other', '', $2, now()) returning id)
     insert into appeals (id, suspension_id, state, opened_at)
     select gen_random_uuid(), id, 'open', now() from suspension where $3`,
    [id, DEFAULT_SUSPENSION_OPTIONS, appeal],
  )
}

const caller =
  (appeal: boolean): SetUp =>
  async ({ ground, who }) => {
    await suspended(ground, who.caller.id, appeal)
    return {}
  }
const customer =
  (appeal: boolean): SetUp =>
  async ({ ground, params }) => {
    await suspended(ground, params.id ?? '', appeal)
    return {}
  }

/** Suspensions and appeals: those of the caller, and those of the customer in the path. */
export const suspensionSetUps: SetUps = {
  'POST /api/suspension/appeal': caller(false),
  'POST /api/suspension/appeal/reply': caller(true),
  'DELETE /api/suspension/appeal': caller(true),
  'POST /api/suspension/attachments': caller(false),
  'PATCH /api/customers/{id}/suspension': customer(false),
  'DELETE /api/customers/{id}/suspension': customer(false),
  'POST /api/customers/{id}/suspension/reply': customer(true),
  'POST /api/customers/{id}/suspension/notes': customer(false),
}
