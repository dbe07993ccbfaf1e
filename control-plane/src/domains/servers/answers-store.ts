import { sql } from 'drizzle-orm'
import { type Answer, answer } from '../../answers.ts'
import type { Db } from '../../db/database.ts'
import { isServerPutOff } from '../../jobs/sagas/put-off.ts'
import { serversOwned } from '../customers/index.ts'
import { serversOnStorage } from '../nodes/index.ts'
import { serversSeenBy } from '../notifications/index.ts'
import { faultsOfPreset } from '../plans/index.ts'
import { serversOfTemplates } from '../templates/index.ts'
import { type CatalogueThing, leaseCounts, machinesWith } from '../virtualization/index.ts'
import { seenServers } from './access/seen-servers.ts'
import { presetFaults } from './machine/preset-faults.ts'
import { isUndecided } from './set-back/findings-store.ts'
import { countOnStorages } from './storage-store.ts'

/** Servers per owner. */
async function countByOwner(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: string; count: number }>(
    sql`select owner_id as id, count(*)::int as count from servers where owner_id = any(${sql.param([...ids])}::uuid[]) group by owner_id`,
  )
  return new Map(rows.map((row) => [row.id, row.count]))
}

/** Servers per template, total and on older versions. */
async function countByTemplate(
  db: Db,
  ids: readonly string[],
  ownerId: string | null,
): Promise<ReadonlyMap<string, { servers: number; outdated: number }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: string; servers: number; outdated: number }>(sql`
    select templates.id, count(*)::int as servers,
      count(*) filter (where servers.template_version < templates.version)::int as outdated
    from servers join templates on templates.id = servers.template_id
    where templates.id = any(${sql.param([...ids])}::uuid[])
      and (${ownerId}::uuid is null or servers.owner_id = ${ownerId}::uuid)
    group by templates.id`)
  return new Map(rows.map(({ id, servers, outdated }) => [id, { servers, outdated }]))
}

/** The machines that use a catalogue entry, by name. */
async function namesOfMachinesWith(
  db: Db,
  what: CatalogueThing,
  id: string,
): Promise<{ id: string; name: string }[]> {
  const has = {
    medium: sql`medium_id = ${id}::uuid or image_id = ${id}::uuid`,
    profile: sql`profile_id = ${id}::uuid`,
    network: sql`network_id = ${id}::uuid
      or server_id in (select server_id from vm_addresses where network_id = ${id}::uuid)`,
  }[what]
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select servers.id, servers.name from machines join servers on servers.id = machines.server_id
    where ${has} order by servers.name, servers.id`)
  return rows.map((row) => ({ id: row.id, name: row.name }))
}

/** Leased addresses per network. */
async function countLeases(db: Db): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.execute<{ network_id: string; count: number }>(
    sql`select network_id, count(*)::int as count from vm_addresses group by network_id`,
  )
  return new Map(rows.map((row) => [row.network_id, row.count]))
}

/** Answers to questions of the domains below. */
export const serverAnswers: readonly Answer[] = [
  answer(serversOwned, countByOwner),
  answer(serversOfTemplates, countByTemplate),
  answer(machinesWith, namesOfMachinesWith),
  answer(leaseCounts, countLeases),
  answer(serversSeenBy, seenServers),
  answer(faultsOfPreset, presetFaults),
  answer(isServerPutOff, isUndecided),
  answer(serversOnStorage, countOnStorages),
]
