import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const SCHEMA = `
  create table if not exists settings (name text primary key, value text not null) strict, without rowid;
  create table if not exists servers (server_id text primary key, document text not null) strict, without rowid;
  create table if not exists reports (
    sequence integer primary key, kind text not null, at_ms integer not null, body blob not null
  ) strict;
  create index if not exists reports_kind on reports (kind, sequence);
  create table if not exists task_results (
    task_id text primary key, at_ms integer not null, body blob not null
  ) strict, without rowid;
  create table if not exists schedules (server_id text primary key, document text not null) strict, without rowid;
  create table if not exists occurrences (
    schedule_id text not null, due_ms integer not null, used_by text not null, at_ms integer not null,
    primary key (schedule_id, due_ms)
  ) strict, without rowid;
  create table if not exists schedule_runs (run_id text primary key, document text not null) strict, without rowid;
`

/** SQLite's result codes for a file that is damaged, and for one that is no database. */
const DAMAGED = [11, 26]

class Damaged extends Error {}

/**
 * Opens the journal's file so that committed writes survive a power cut. A damaged file is renamed,
 * and a new one takes its place: an agent that refuses to start would leave its servers unmanaged.
 * Whatever else keeps it from being opened, such as another process, says nothing against the file.
 * @param setAside called with the new name of the damaged file
 */
export function openStore(
  file: string,
  nowMs: number,
  setAside: (name: string) => void,
): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o711 })
  try {
    return open(file)
  } catch (error) {
    if (!isDamaged(error)) throw error
    const aside = `${file}.damaged-${nowMs}`
    renameSync(file, aside)
    for (const companion of ['-wal', '-shm']) {
      if (existsSync(file + companion)) renameSync(file + companion, aside + companion)
    }
    setAside(aside)
    return open(file)
  }
}

function isDamaged(error: unknown): boolean {
  if (error instanceof Damaged) return true
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  // The higher bits say more about the same.
  return DAMAGED.includes(code & 0xff)
}

function open(file: string): DatabaseSync {
  const earlier = process.umask(0o077)
  try {
    const database = new DatabaseSync(file)
    try {
      // Alone on the file, SQLite needs no shared index beside it, for which a full disk has no room.
      database.exec(
        `pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full;
         pragma cache_size = -1024;`,
      )
      const check = database.prepare('pragma quick_check(1)').get()
      if (check?.quick_check !== 'ok') throw new Damaged('The journal is damaged')
      database.exec(SCHEMA)
      return database
    } catch (error) {
      database.close()
      throw error
    }
  } finally {
    process.umask(earlier)
  }
}
