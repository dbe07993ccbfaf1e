import { randomUUIDv7 } from 'node:crypto'
import { emailAddress, personName } from '@lodge/shared/accounts.ts'
import { EditBillingAddress } from '@lodge/shared/billing/billing.ts'
import { isDuplicate } from '../../../db/database.ts'
import {
  customersAmong,
  findUsersByEmail,
  insertUser,
  type UserRow,
} from '../../customers/index.ts'
import { storeAddress } from '../address-store.ts'
import { forEach, type Outcome, type Run, skipped, writeOnce } from './run.ts'
import type { SourceCustomer } from './source.ts'
import { wantInvitations } from './store.ts'
import { placeOf } from './tax-place.ts'

/** The account of a customer, or why there is none; the id is null in a dry run. */
export type CustomerFound = { readonly id: string | null } | { readonly refusal: string }

/** What this panel already has of some customers. */
interface Here {
  readonly users: ReadonlyMap<string, UserRow>
  readonly customerIds: ReadonlySet<string>
}

/**
 * Imports customers as accounts without a password, and matches those who have an account here by
 * address.
 */
export async function importCustomers(
  run: Run,
  customers: AsyncIterable<SourceCustomer>,
): Promise<ReadonlyMap<string, CustomerFound>> {
  const found = new Map<string, CustomerFound>()
  const owners = new Map<string, string>()
  const lookHere = async (
    batch: readonly SourceCustomer[],
    before: ReadonlyMap<string, string>,
  ): Promise<Here> => {
    if (run.invites && run.writes) await wantInvitations(run.db, run.origin, [...before.keys()])
    return {
      users: await findUsersByEmail(
        run.db,
        batch.flatMap(({ email }) => emailOf(email) ?? []),
      ),
      customerIds: await customersAmong(run.db, [...before.values()]),
    }
  }
  const one = async (customer: SourceCustomer, before: string | undefined, here: Here) => {
    const outcome = await decide(run, customer, before, owners, here)
    const refusal =
      outcome.result === 'skipped' ? `its customer is skipped: ${outcome.note}` : outcome.note
    found.set(customer.id, refusal === '' ? { id: outcome.targetId } : { refusal })
    return outcome
  }
  await forEach(run, 'customer', customers, one, lookHere)
  return found
}

const DELETED = 'its customer was deleted here'

/** Copied: a substring would keep the whole text around it in memory. */
const emailOf = (text: string): string | undefined => {
  const parsed = emailAddress.safeParse(text)
  return parsed.success ? Buffer.from(parsed.data).toString() : undefined
}

async function decide(
  run: Run,
  customer: SourceCustomer,
  before: string | undefined,
  owners: Map<string, string>,
  here: Here,
): Promise<Outcome> {
  const { id } = customer
  const email = emailOf(customer.email)
  const about = email ?? customer.email.slice(0, 254)
  const first = email === undefined ? undefined : owners.get(email)
  if (email !== undefined && first === undefined) owners.set(email, id)
  if (before !== undefined) {
    const note = here.customerIds.has(before) ? '' : DELETED
    const result = 'imported before'
    return { kind: 'customer', sourceId: id, about, result, note, targetId: before }
  }
  const skip = (note: string) => skipped('customer', id, about, note)
  if (customer.refusal !== undefined) return skip(customer.refusal)
  if (email === undefined) return skip('its address is no e-mail address')
  if (first !== undefined) return skip(`it has the same e-mail address as ${first}`)
  const user = here.users.get(email)
  if (user?.role === 'admin') return skip('an administrator here has this e-mail address')
  // Somebody else may have registered it.
  if (user?.state === 'unverified')
    return skip('an account here has this e-mail address, but nobody has confirmed it')
  // Rejecting the account deletes it, which purchases would prevent.
  if (user?.state === 'pending')
    return skip('an account here has this e-mail address, and waits for approval: decide first')
  const userId = user?.id ?? randomUUIDv7()
  try {
    const { fingerprint } = customer
    const record = { kind: 'customer', sourceId: id, targetId: userId, fingerprint } as const
    const isNew = await writeOnce(run, record, async (db) => {
      if (!user) await insertCustomer(db, run, userId, email, customer)
      if (run.invites) await wantInvitations(db, run.origin, [id])
    })
    if (!isNew) return skip('another import is running: import again')
  } catch (error) {
    if (!isDuplicate(error, 'users_email')) throw error
    return skip('its e-mail address was taken meanwhile: import again')
  }
  const result = user ? 'present' : 'new'
  const targetId = user || run.writes ? userId : null
  return { kind: 'customer', sourceId: id, about, result, note: '', targetId }
}

async function insertCustomer(
  db: Run['db'],
  run: Run,
  id: string,
  email: string,
  { name, address, place, language }: SourceCustomer,
): Promise<void> {
  await insertUser(db, {
    ...{ id, email, role: 'customer', passwordHash: null, createdAt: run.now },
    name: personName.safeParse(name).data ?? null,
    preferences: { mode: null, language },
  })
  const lines = EditBillingAddress.safeParse({ address }).data?.address ?? ''
  const given = { address: lines, ...placeOf(place) }
  if (Object.values(given).some((text) => text !== '')) await storeAddress(db, id, given)
}
