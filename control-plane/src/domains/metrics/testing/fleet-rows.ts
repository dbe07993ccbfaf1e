import { randomUUID } from 'node:crypto'
import type { ObservedState, Power } from '@lodge/shared/servers.ts'
import type pg from 'pg'

export interface ServerAt {
  readonly id: string
  readonly metricKey: number
  readonly ownerId: string
  readonly memoryMb: number
  readonly cpuPercent: number
  readonly diskMb: number
}

/** Rows of a small fleet, straight into the tables: what the figures are about. */
export function fleetRows(pool: pg.Pool) {
  let template: Promise<string> | undefined
  let owner: Promise<string> | undefined
  const insertOwner = async () => {
    const id = randomUUID()
    await pool.query(
      `insert into users (id, email, role, preferences) values ($1, $2, 'customer', '{"mode":null}')`,
      [id, `${id}@example.org`],
    )
    return id
  }
  const insertTemplate = async () => {
    const id = randomUUID()
    await pool.query(
      `insert into templates (id, name, description, origin, version, document) values ($1, 'Sample', '', 'custom', 1, '{}')`,
      [id],
    )
    await pool.query(
      `insert into template_versions (template_id, version, document) values ($1, 1, '{}')`,
      [id],
    )
    return id
  }
  return {
    async node(columns: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const id = randomUUID()
      const row = {
        id,
        name: `node ${id}`,
        location: 'Here',
        memory_mb: 4096,
        cpu_percent: 400,
        disk_mb: 10_000,
        port_ranges: '[]',
        ...columns,
      }
      await insert(pool, 'nodes', row)
      return id
    },
    /** @param count how many alike servers to insert on the node */
    async servers(
      nodeId: string,
      count: number,
      state: {
        wish?: Power
        observed?: ObservedState
        columns?: Readonly<Record<string, unknown>>
      } = {},
    ): Promise<ServerAt[]> {
      const extra = Object.entries(state.columns ?? {})
      template ??= insertTemplate()
      owner ??= insertOwner()
      const { rows } = await pool.query<ServerAt>(
        `insert into servers (id, name, owner_id, template_id, template_version, node_id, memory_mb, cpu_percent, disk_mb,
           variables, crash_policy, wish_power, wish_spec, observed_state${extra.map(([name]) => `, ${name}`).join('')})
         select gen_random_uuid(), 'server', $1, $2, 1, $3, 512, 100, 1024, '{}', '{}', $4, '{}', $5${extra.map((_, at) => `, $${at + 7}`).join('')}
         from generate_series(1, $6)
         returning id, metric_key as "metricKey", owner_id as "ownerId", memory_mb as "memoryMb", cpu_percent as "cpuPercent", disk_mb as "diskMb"`,
        [
          await owner,
          await template,
          nodeId,
          state.wish ?? 'on',
          state.observed ?? 'running',
          count,
          ...extra.map(([, value]) => value),
        ],
      )
      return rows
    },
  }
}

async function insert(
  pool: pg.Pool,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = Object.keys(row)
  await pool.query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  )
}
