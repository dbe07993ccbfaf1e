// Writes openapi.json and access-matrix.txt, both derived from the endpoint declarations, below the
// folder named first. They are committed: a change of the interface or of the policy is a diff.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { routes } from '../control-plane/src/api.ts'
import { openapi } from '../control-plane/src/http/openapi.ts'

const folder = process.argv[2]
const write = (name, text) => writeFileSync(path.join(folder, name), text)

write('openapi.json', `${JSON.stringify(openapi(routes), null, 2)}\n`)
write('access-matrix.txt', accessMatrix())

/** One line per endpoint: who may call it, with which permission, over what, and with which token. */
function accessMatrix() {
  const header = ['method', 'path', 'who', 'may', 'on', 'token', 'throttled']
  const rows = Object.values(routes)
    .map(({ method, path, access }) => [
      method,
      path,
      access.who,
      [access.admin, access.may].filter(Boolean).join(' + ') || '-',
      access.on?.name ?? '-',
      access.token ?? '-',
      access.throttle ? 'yes' : '-',
    ])
    .sort((one, two) => one[1].localeCompare(two[1], 'en') || one[0].localeCompare(two[0], 'en'))
  const table = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const line = (row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd()
  return `${table.map(line).join('\n')}\n`
}
