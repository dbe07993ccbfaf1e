import pg from 'pg'
import { afterAll } from 'vitest'
import { LOCK_ORDER } from '../../control-plane/src/db/lock-order.ts'
import { LodgeClient } from '../../control-plane/src/db/lodge-client.ts'

// Watches the statements that the control plane sends, and fails a test file in which a transaction
// has locked rows against the declared order.

const ranks = new Map(
  LOCK_ORDER.flatMap((tables, rank) => tables.map((table) => [table, rank] as const)),
)
const transactions = new WeakMap<object, Set<string>>()
let found: string[] = []

/** Transactions that locked out of order since the last call. */
export function takeFindings(): string[] {
  const taken = found
  found = []
  return taken
}

/** The tables whose rows a statement locks, waiting for other locks. */
function lockedBy(statement: string): string[] {
  if (statement.includes('skip locked')) return []
  const written = statement.matchAll(/(?:^|\()\s*(?:update|delete from) "?(\w+)/g)
  const isLocking = /\bfor (?:no key update|update|share)\b|^lock table/.test(statement)
  const read = isLocking ? /(?:from|lock table) "?(\w+)/.exec(statement) : null
  return [read, ...written].flatMap((match) => match?.[1] ?? []).filter((table) => ranks.has(table))
}

function watch(client: object, text: string): void {
  const statement = text.trim().toLowerCase()
  if (statement === 'begin') transactions.set(client, new Set())
  if (statement === 'commit' || statement === 'rollback') transactions.delete(client)
  const held = transactions.get(client)
  if (!held) return
  for (const table of lockedBy(statement)) {
    const later = [...held].filter((other) => Number(ranks.get(other)) > Number(ranks.get(table)))
    if (later.length > 0 && !held.has(table)) found.push(`${table} after ${later}: ${text}`)
    held.add(table)
  }
}

type Query = (this: object, config: unknown, ...rest: unknown[]) => unknown
/** This file runs once for each test file, and test files share processes: wrap once, not each time. */
const SENT = Symbol.for('lodge.lock-order.query')
const prototype = pg.Client.prototype as { [SENT]?: Query; query: unknown }
prototype[SENT] ??= prototype.query as Query
const send = prototype[SENT]
const watched: Query = function (config, ...rest) {
  const text = typeof config === 'string' ? config : (config as { text?: unknown } | null)?.text
  if (this instanceof LodgeClient && typeof text === 'string') watch(this, text)
  return send.call(this, config, ...rest)
}
prototype.query = watched

afterAll(() => {
  const findings = takeFindings()
  if (findings.length > 0)
    throw new Error(`Locks are taken out of order (LOCK_ORDER):\n${findings.join('\n')}`)
})
