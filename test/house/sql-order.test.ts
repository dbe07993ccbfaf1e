import { expect, test } from 'vitest'
import { domains } from '../../control-plane/src/domains/index.ts'
import { sourceFiles } from './source-files.ts'

// A statement reads tables of its own domain and of those below it, as imports do. Domains above
// answer questions about theirs (control-plane/src/answers.ts).

/**
 * Read models: statements that read across domains, each in a file that does nothing else, and the
 * tables above it that it reads.
 */
const readModels: Record<string, string[]> = {
  // Compares a customer's limits with everything that counts, under one lock and in one statement,
  // many times a second.
  'domains/limits/usage-store.ts': [
    'attachment_arrivals',
    'attachments',
    'nodes',
    'schedules',
    'server_backups',
    'server_collaborators',
    'server_invitations',
    'server_ports',
    'servers',
    'vm_snapshots',
  ],
  // The same for a server that came with a plan: what the plan includes, and what the server has of it.
  'domains/limits/plan-server-store.ts': [
    'schedules',
    'server_backups',
    'server_collaborators',
    'server_invitations',
    'server_orders',
    'server_ports',
    'servers',
    'vm_snapshots',
  ],
  // Pages through the customers who own servers or files: only they can be near a limit.
  'domains/limits/notice-store.ts': ['attachments', 'servers'],
  // A job is shown with the names of its server and node, and with the server's owner.
  'jobs/board/store.ts': ['nodes', 'server_collaborators', 'servers', 'users'],
  // Whether a node is connected is read in the transaction that parks a saga until it is.
  'jobs/sagas/saga-store.ts': ['nodes'],
}

const room = 'control-plane/src/'
const order = domains.map(({ name }): string => name)
/** The kernel is below all domains, composition above them. */
function floorOf(file: string): number {
  const domain = /^domains\/([^/]+)\//.exec(file)?.[1]
  if (domain !== undefined) return order.indexOf(domain)
  return file.startsWith('start/') ? order.length : -1
}

const files = sourceFiles()
  .filter(
    ({ path }) => path.startsWith(room) && !/\.(test|fixture|owner)\.ts$|\/testing\//.test(path),
  )
  .map(({ path, text }) => ({ path: path.slice(room.length), text }))

interface Table {
  readonly name: string
  readonly file: string
}
/** By the name of the constant, and by the name in the database. */
const tables = files
  .filter(({ path }) => path.endsWith('tables.ts'))
  .flatMap(({ path, text }) =>
    [...text.matchAll(/export const (\w+) = pgTable\(\s*'(\w+)'/g)].map(
      ([, constant = '', name = '']) => ({ constant, name, file: path }),
    ),
  )
const byName = new Map<string, Table>(tables.map((table) => [table.name, table]))
// Created by hand, since drizzle does not support partitions.
byName.set('server_samples', { name: 'server_samples', file: 'domains/metrics/partitions.ts' })

/** The tables that statements in a source file name, through drizzle and in SQL text. */
function tablesIn(file: string, source: string): Set<string> {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  const found = new Set<string>()
  for (const [, names = '', from = ''] of code.matchAll(
    /import (?:type )?\{([^}]*)\} from '([^']*tables\.ts)'/g,
  )) {
    const target = new URL(from, `file:///${file}`).pathname.slice(1)
    const known = tables.filter((table) => table.file === target)
    for (const { constant, name } of known)
      if (names.split(',').some((one) => one.replace('type ', '').trim() === constant))
        found.add(name)
  }
  const relation = String.raw`(?:only\s+)?"?(\w+)"?`
  const keyword = new RegExp(
    String.raw`\b(?:from|join|into|update|using)\s+${relation}(?=([^()]*))`,
    'gi',
  )
  for (const [, name = '', rest = ''] of code.matchAll(keyword)) {
    if (byName.has(name)) found.add(name)
    // After a comma, up to the next clause, the same list continues.
    const list = rest.split(
      /\b(?:where|on|set|order|group|limit|returning|select|values)\b|[`;]/i,
    )[0]
    for (const [, also = ''] of (list ?? '').matchAll(/,\s*(?:lateral\s+)?"?(\w+)"?/gi))
      if (byName.has(also)) found.add(also)
  }
  return found
}

test('the scan sees tables of drizzle and of SQL, and lists of them', () => {
  const source = [
    "import { servers, type ServerRow } from '../servers/tables.ts'",
    '// from users',
    'const rows = sql`select 1 from nodes n, lateral (select 1) x join jobs on true`',
    'const more = sql`delete from "tasks" using plans, settings where id in (select id from templates)`',
  ].join('\n')
  expect([...tablesIn('domains/overview/x.ts', source)].toSorted()).toEqual(
    ['jobs', 'nodes', 'plans', 'servers', 'settings', 'tasks', 'templates'].toSorted(),
  )
  expect(byName.size).toBeGreaterThan(45)
})

test('a statement reads tables of its own domain and of those below', () => {
  const upwards: Record<string, string[]> = {}
  for (const { path, text } of files) {
    if (path.endsWith('tables.ts')) continue
    const above = [...tablesIn(path, text)]
      .filter((name) => floorOf(byName.get(name)?.file ?? '') > floorOf(path))
      .toSorted()
    if (above.length > 0) upwards[path] = above
  }
  expect(upwards).toEqual(readModels)
})
