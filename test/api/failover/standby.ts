import { execFile } from 'node:child_process'
import { appendFile, chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../../control-plane/src/embedded-postgres/supervisor.ts'
import { until } from '../../support/until.ts'

const QUIET = { info: () => undefined, warn: () => undefined }
const NAME = 'standby'

/**
 * A synchronous standby, made from a base backup of the running PostgreSQL as chapter 25.3.3 (the
 * low-level API) and 26.2 of PostgreSQL's manual describe.
 * @param folders of the database that runs, and of the one to be made
 */
export async function synchronousStandby(
  primary: EmbeddedDatabase,
  folders: { readonly from: string; readonly to: string },
): Promise<EmbeddedDatabase> {
  const client = new pg.Client(primary.connection)
  await client.connect()
  const [from, to] = [path.join(folders.from, 'data'), path.join(folders.to, 'data')]
  try {
    await client.query('select pg_create_physical_replication_slot($1, true)', [NAME])
    await client.query('select pg_backup_start($1, true)', [NAME])
    await mkdir(folders.to)
    await chmod(folders.to, 0o755)
    await promisify(execFile)('cp', ['-a', from, to])
    await rm(path.join(to, 'postmaster.pid'))
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    const { uid, gid } = await stat(from)
    for (const [name, text] of [
      ['backup_label', rows[0].labelfile],
      ['standby.signal', ''],
    ])
      await writeFile(path.join(to, name), text)
    const conninfo = `host=${primary.connection.host} user=postgres application_name=${NAME}`
    await appendFile(
      path.join(to, 'postgresql.auto.conf'),
      `primary_conninfo = '${conninfo}'\nprimary_slot_name = '${NAME}'\n`,
    )
    await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, to])
    const standby = await startEmbeddedDatabase({ folder: folders.to, log: QUIET })
    await client.query(`alter system set synchronous_standby_names = '${NAME}'`)
    await client.query('select pg_reload_conf()')
    await until(async () => {
      const { rows } = await client.query('select sync_state from pg_stat_replication')
      return rows[0]?.sync_state === 'sync'
    })
    return standby
  } finally {
    await client.end()
  }
}

/**
 * Stops the database as if its machine were lost: no process of it runs any more, and nothing
 * restarts it.
 */
export async function lose(database: EmbeddedDatabase): Promise<void> {
  process.kill(database.pid, 'SIGKILL')
  await database.stop()
}

/** Promotes the standby to primary. */
export async function promote(standby: EmbeddedDatabase): Promise<void> {
  const client = new pg.Client(standby.connection)
  await client.connect()
  await client.query('select pg_promote()')
  await client.end()
}
