import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type pg from 'pg'

const PASSWORD_HASH = '$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5IGtub3dz$bm9ib2R5IGtub3dzIGl0'

/** Adds an account whose password nobody knows. */
export async function insertPerson(
  pool: pg.Pool,
  given: {
    /** The beginning of the local part of the address. */
    readonly local: string
    readonly role: 'admin' | 'customer'
    readonly permissions?: readonly AdminPermission[]
  },
): Promise<{ id: string; email: string }> {
  const { local, role, permissions = [] } = given
  const id = randomUUID()
  const email = `${local}-${id.slice(0, 8)}@example.com`
  await pool.query(
    `insert into users (id, email, role, permissions, password_hash, preferences, factor_due_at)
     values ($1, $2, $3, $4, $5, '{"mode":null}', now() + interval '1 day')`,
    [id, email, role, [...permissions], PASSWORD_HASH],
  )
  return { id, email }
}

/** A fresh session of a person, without the cost of hashing a password. @returns its cookie */
export async function insertSession(pool: pg.Pool, userId: string): Promise<string> {
  const cookie = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into sessions (id, user_id, token_hash, user_agent, address, expires_at, proved_at)
     values ($1, $2, $3, 'test', '127.0.0.1', now() + interval '1 day', now())`,
    [randomUUID(), userId, createHash('sha256').update(cookie).digest()],
  )
  return cookie
}
