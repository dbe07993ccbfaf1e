import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const proto = path.resolve(import.meta.dirname, '../../proto')
const buf = path.resolve(proto, '../node_modules/@bufbuild/buf/bin/buf')
const released = readdirSync(path.join(proto, 'released'))

test.each(released)('an agent built for %s still understands us', (image) => {
  const run = spawnSync(process.execPath, [buf, 'breaking', '--against', `released/${image}`], {
    cwd: proto,
    encoding: 'utf8',
  })
  expect(run.stdout + run.stderr).toBe('')
  expect(run.status).toBe(0)
})

test('every released minor is described', () => {
  const changes = readFileSync(path.join(proto, 'CHANGES.md'), 'utf8')
  for (const image of released)
    expect(changes).toMatch(new RegExp(`^\\| ${image.slice(1).replace('.binpb', '')} +\\|`, 'm'))
})
