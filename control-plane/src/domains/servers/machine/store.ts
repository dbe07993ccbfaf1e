import { randomBytes } from 'node:crypto'
import { and, count, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/database.ts'
import type { NetworkRow } from '../../virtualization/index.ts'
import { type MachineRow, machines, vmAddresses } from './tables.ts'

export async function findMachine(db: Db, serverId: string): Promise<MachineRow | undefined> {
  const [row] = await db.select().from(machines).where(eq(machines.serverId, serverId))
  return row
}

export async function insertMachine(
  db: Db,
  row: typeof machines.$inferInsert,
): Promise<MachineRow> {
  const [inserted] = await db.insert(machines).values(row).returning()
  return inserted as MachineRow
}

/** The caller has locked the server's row. */
export async function updateMachine(
  db: Db,
  serverId: string,
  change: Partial<MachineRow>,
): Promise<MachineRow> {
  const [row] = await db
    .update(machines)
    // Always sets a column: a reinstallation from the same medium changes none.
    .set({ ...change, serverId })
    .where(eq(machines.serverId, serverId))
    .returning()
  if (!row) throw new Error(`the machine ${serverId} vanished while its server was held`)
  return row
}

/**
 * The lowest free address of a pool; undefined if there is none. The caller locks the network's row
 * until it has leased the address, so that no two take the same one; the primary key guarantees it.
 */
export async function freeAddress(db: Db, network: NetworkRow): Promise<number | undefined> {
  const { rows } = await db.execute<{ address: string }>(sql`
    select free.address from (
      select ${network.poolFrom}::bigint as address
      union all
      select taken.address + 1 from vm_addresses taken where taken.network_id = ${network.id}::uuid
    ) free
    where free.address between ${network.poolFrom}::bigint and ${network.poolTo}::bigint
      and not exists (select 1 from vm_addresses held
        where held.network_id = ${network.id}::uuid and held.address = free.address)
    order by free.address limit 1`)
  return rows[0] && Number(rows[0].address)
}

/** How many addresses of a network are leased. */
export async function leasedIn(db: Db, networkId: string): Promise<number> {
  const [row] = await db
    .select({ leased: count() })
    .from(vmAddresses)
    .where(eq(vmAddresses.networkId, networkId))
  return row?.leased ?? 0
}

export async function leaseAddress(
  db: Db,
  networkId: string,
  serverId: string,
  address: number,
): Promise<void> {
  await db.insert(vmAddresses).values({ networkId, serverId, address })
}

/** The address it already has in this network. */
export async function leasedAddress(
  db: Db,
  networkId: string,
  serverId: string,
): Promise<number | undefined> {
  const [row] = await db
    .select({ address: vmAddresses.address })
    .from(vmAddresses)
    .where(and(eq(vmAddresses.networkId, networkId), eq(vmAddresses.serverId, serverId)))
  return row?.address
}

export async function releaseAddress(db: Db, networkId: string, serverId: string): Promise<void> {
  await db
    .delete(vmAddresses)
    .where(and(eq(vmAddresses.networkId, networkId), eq(vmAddresses.serverId, serverId)))
}

/** A random MAC address in QEMU's range that no machine has; a unique index catches a race. */
export async function freshMac(db: Db): Promise<string> {
  for (;;) {
    const mac = `52:54:00:${randomBytes(3).toString('hex').match(/../g)?.join(':')}`
    const { rows } = await db.execute<{ found: number }>(
      sql`select 1 as found from machines where mac = ${mac}`,
    )
    if (rows.length === 0) return mac
  }
}
