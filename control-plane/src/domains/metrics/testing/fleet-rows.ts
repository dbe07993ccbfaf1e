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

/** Inserts the rows of a small fleet that figures refer to directly into the tables. */
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
    /** @param count how many identical servers to insert on the node */
    async servers(
      nodeId: string,
      count: number,
      state: {
        desired?: Power
        observed?: ObservedState
        columns?: Readonly<Record<string, unknown>>
      } = {},
    ): Promise<ServerAt[]> {
      template ??= insertTemplate()
      owner ??= insertOwner()
      const row = {
        name: 'server',
        owner_id: await owner,
        template_id: await template,
        template_version: 1,
        node_id: nodeId,
        memory_mb: 512,
        cpu_percent: 100,
        disk_mb: 1024,
        variables: '{}',
        crash_policy: '{}',
        desired_power: state.desired ?? 'on',
        desired_spec: '{}',
        observed_state: state.observed ?? 'running',
        ...state.columns,
      }
      const names = Object.keys(row)
      const { rows } = await pool.query<ServerAt>(
        `insert into servers (id, ${names.join(', ')})
         select gen_random_uuid(), ${names.map((_, at) => `$${at + 1}`).join(', ')} from generate_series(1, ${count})
         returning id, metric_key as "metricKey", owner_id as "ownerId", memory_mb as "memoryMb",
           cpu_percent as "cpuPercent", disk_mb as "diskMb"`,
        Object.values(row),
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
