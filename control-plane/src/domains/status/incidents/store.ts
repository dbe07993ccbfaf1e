import { INCIDENT_DAYS, MOST_OPEN_INCIDENTS, MOST_UPDATES } from '@lodge/shared/status.ts'
import { and, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import type { Position } from '../../../db/cursor.ts'
import type { Db } from '../../../db/database.ts'
import {
  type IncidentRow,
  statusIncidentComponents,
  statusIncidents,
  statusUpdates,
  type UpdateRow,
} from '../tables.ts'

/** Counts drafts, but nothing that is over. */
export const incidentCap = defineCap({
  name: 'open incidents of the status page',
  most: MOST_OPEN_INCIDENTS,
  present: () =>
    sql`select from ${statusIncidents} where ended_at is null and (ends_at is null or ends_at > now())`,
  refusal: `There are already ${MOST_OPEN_INCIDENTS} open incidents and drafts: resolve or delete some first`,
})

export const updateCap = defineCap({
  name: 'updates of an incident',
  most: MOST_UPDATES,
  present: (incidentId) => sql`select from ${statusUpdates} where incident_id = ${incidentId}`,
  refusal: `An incident has at most ${MOST_UPDATES} updates: resolve it and open another`,
})

export async function insertIncident(
  db: Db,
  row: typeof statusIncidents.$inferInsert,
): Promise<void> {
  await db.insert(statusIncidents).values(row)
}

export async function findIncident(db: Db, id: string): Promise<IncidentRow | undefined> {
  const [row] = await db.select().from(statusIncidents).where(eq(statusIncidents.id, id))
  return row
}

export async function lockIncident(db: Db, id: string): Promise<IncidentRow | undefined> {
  const [row] = await db
    .select()
    .from(statusIncidents)
    .where(eq(statusIncidents.id, id))
    .for('update')
  return row
}

export async function updateIncident(
  db: Db,
  id: string,
  change: Partial<IncidentRow>,
): Promise<void> {
  if (Object.keys(change).length === 0) return
  await db.update(statusIncidents).set(change).where(eq(statusIncidents.id, id))
}

export async function deleteIncident(db: Db, id: string): Promise<void> {
  await db.delete(statusIncidents).where(eq(statusIncidents.id, id))
}

/** The newest first. */
export const listIncidents = (
  db: Db,
  given: { kind: IncidentRow['kind'] | undefined; after: Position | undefined; limit: number },
): Promise<IncidentRow[]> =>
  db
    .select()
    .from(statusIncidents)
    .where(
      and(
        given.kind && eq(statusIncidents.kind, given.kind),
        given.after && lt(statusIncidents.id, sql`${given.after[1]}::uuid`),
      ),
    )
    .orderBy(desc(statusIncidents.id))
    .limit(given.limit + 1)

/** Published ones that are open, planned, or ended since a time; the newest first. */
export const listPublished = (db: Db, since: Date, most: number): Promise<IncidentRow[]> =>
  db
    .select()
    .from(statusIncidents)
    .where(
      and(
        isNotNull(statusIncidents.publishedAt),
        or(
          sql`coalesce(${statusIncidents.endedAt}, ${statusIncidents.endsAt}) > ${since.toISOString()}`,
          and(isNull(statusIncidents.endedAt), isNull(statusIncidents.endsAt)),
        ),
      ),
    )
    .orderBy(desc(statusIncidents.startsAt), desc(statusIncidents.id))
    .limit(most)

/** Updates by incident, the newest first. */
export async function updatesOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UpdateRow[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(statusUpdates)
    .where(inArray(statusUpdates.incidentId, [...ids]))
    .orderBy(desc(statusUpdates.id))
  return Map.groupBy(rows, ({ incidentId }) => incidentId)
}

/** Ids of the components by incident. */
export async function componentsOf(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select()
    .from(statusIncidentComponents)
    .where(inArray(statusIncidentComponents.incidentId, [...ids]))
  const byIncident = Map.groupBy(rows, ({ incidentId }) => incidentId)
  return new Map(
    [...byIncident].map(([id, of]) => [id, of.map(({ componentId }) => componentId).sort()]),
  )
}

export async function setComponents(
  db: Db,
  incidentId: string,
  componentIds: readonly string[],
): Promise<void> {
  await db
    .delete(statusIncidentComponents)
    .where(eq(statusIncidentComponents.incidentId, incidentId))
  if (componentIds.length > 0)
    await db
      .insert(statusIncidentComponents)
      .values([...new Set(componentIds)].map((componentId) => ({ incidentId, componentId })))
}

export async function insertUpdate(db: Db, row: UpdateRow): Promise<void> {
  await db.insert(statusUpdates).values(row)
}

/** @returns whether the incident has such an update */
export async function rewordUpdate(
  db: Db,
  incidentId: string,
  id: string,
  body: string,
): Promise<boolean> {
  const rows = await db
    .update(statusUpdates)
    .set({ body })
    .where(and(eq(statusUpdates.id, id), eq(statusUpdates.incidentId, incidentId)))
    .returning({ id: statusUpdates.id })
  return rows.length > 0
}

/** Moves a draft's updates to the time of publication, since nobody has seen them before. */
export async function moveUpdates(db: Db, incidentId: string, at: Date): Promise<void> {
  await db.update(statusUpdates).set({ at }).where(eq(statusUpdates.incidentId, incidentId))
}

/** Deletes incidents that ended long ago. */
export async function deleteOldIncidents(db: Db): Promise<number> {
  const over = sql`coalesce(${statusIncidents.endedAt}, ${statusIncidents.endsAt})`
  const rows = await db
    .delete(statusIncidents)
    .where(sql`${over} < now() - make_interval(days => ${INCIDENT_DAYS})`)
    .returning({ id: statusIncidents.id })
  return rows.length
}

/** The announced incident or maintenance under way that began last, with its latest update. */
export async function findAnnounced(
  db: Db,
): Promise<(Pick<IncidentRow, 'id' | 'title' | 'impact'> & { updateId: string }) | undefined> {
  const { rows } = await db.execute<
    Pick<IncidentRow, 'id' | 'title' | 'impact'> & { updateId: string }
  >(sql`
    select id, title, impact,
      (select max(status_updates.id::text) from status_updates
        where incident_id = status_incidents.id) as "updateId"
    from status_incidents
    where announced and published_at is not null and ended_at is null and starts_at <= now()
      and (ends_at is null or ends_at > now())
    order by starts_at desc, id desc limit 1`)
  return rows[0]
}
