import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { FreshDatabase } from '../../support/database.ts'
import type { Lodge } from '../../support/stack.ts'
import { startQuickly } from './guarded-fleet.ts'

/**
 * A control plane in this process, which creates a fleet and hands it to others together with its
 * database and folder.
 */
export interface Founder {
  readonly lodge: Lodge
  readonly hasLeft: boolean
  leave(): Promise<void>
}

/** @param stack stops it, and deletes its folder */
export async function startFounder(
  database: FreshDatabase,
  stack: AsyncDisposableStack,
): Promise<Founder> {
  const lodge = await startQuickly({
    database,
    environment: { LODGE_APPLICATION_DATABASE_URL: undefined },
  })
  stack.defer(() => rm(lodge.dataFolder, { recursive: true, force: true }))
  let leaving: Promise<void> | undefined
  const leave = () => {
    leaving ??= lodge.controlPlane.stop()
    return leaving
  }
  stack.defer(leave)
  return {
    lodge,
    get hasLeft() {
      return leaving !== undefined
    },
    leave,
  }
}

/** An existing database at this host and port or Unix socket, as its owner. */
export function databaseAt(where: string): FreshDatabase {
  const url = `postgresql://postgres@${where}`
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => undefined)
  return { url, pool, application: { url, pool }, drop: () => pool.end() }
}
