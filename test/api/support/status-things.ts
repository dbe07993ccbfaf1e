import type { Lodge } from '../../support/stack.ts'

interface Ground {
  readonly lodge: Lodge
}

async function one(lodge: Lodge, sql: string, ...values: unknown[]): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(sql, values)
  if (!rows[0]) throw new Error(`nothing came of ${sql}`)
  return rows[0].id
}

export const updateIn = (lodge: Lodge, incidentId: string): Promise<string> =>
  one(
    lodge,
    `insert into status_updates (id, incident_id, state, body, at)
     values (gen_random_uuid(), $1, 'investigating', 'We look into it.', now()) returning id`,
    incidentId,
  )

/** The draft of an incident. */
async function incidentOf(lodge: Lodge): Promise<string> {
  const id = await one(
    lodge,
    `insert into status_incidents (id, kind, title, state, impact, starts_at, announced)
     values (gen_random_uuid(), 'incident', 'Sample', 'investigating', 'partial', now(), false)
     returning id`,
  )
  await updateIn(lodge, id)
  return id
}

/** How to create the things of the status page. */
export const STATUS_MAKES = {
  incident: ({ lodge }: Ground) => incidentOf(lodge),
  component: ({ lodge }: Ground) =>
    one(
      lodge,
      `insert into status_components (id, name, description, source, shown, position)
       values (gen_random_uuid(), 'Sample', '', 'manual', true, 0) returning id`,
    ),
}
