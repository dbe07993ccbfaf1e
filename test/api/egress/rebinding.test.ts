import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownMounts } from '../../support/own-mounts.ts'

const run = promisify(execFile)
const ROOT = process.getuid?.() === 0
const REFUSED = /^EgressRefused: the address is not one of the public internet/

interface World {
  readonly results: Readonly<Record<string, string>>
  readonly reached: readonly string[]
  readonly asked: readonly string[]
}

describe.runIf(ROOT)('a host called by name', () => {
  let folder: string
  let world: World
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-names-'))
    const resolver = path.join(folder, 'resolv.conf')
    await writeFile(resolver, 'nameserver 127.0.0.1\n')
    const { stdout } = await run('unshare', [
      '--net',
      ...ownMounts(
        process.execPath,
        fileURLToPath(new URL('./egress-world.ts', import.meta.url)),
        resolver,
      ),
    ])
    world = JSON.parse(stdout)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is connected at the checked address, whatever the name resolves to a moment later', () => {
    expect(world.results.steady).toBe('from 1.1.1.1')
    // One query per call: the checked response is the one used.
    expect(world.results.turnsFirst).toBe('from 1.1.1.1')
    expect(world.asked.filter((name) => name === 'turns.names.test')).toHaveLength(2)
    expect(world.results.turnsThen).toMatch(REFUSED)
  })

  test('is refused when it is private, or both public and private', () => {
    expect(world.results.inside).toMatch(REFUSED)
    expect(world.results.both).toMatch(REFUSED)
  })

  test('is checked again at each redirect', () => {
    expect(world.results.toPublic).toBe('from 1.1.1.1')
    expect(world.results.toName).toMatch(REFUSED)
    expect(world.results.toNumber).toMatch(REFUSED)
    expect(world.results.toItself).toMatch(REFUSED)
    expect(world.results.toPlain).toMatch(/^EgressRefused: only https is spoken/)
  })

  test('never reaches a private address', () => {
    expect(world.reached.filter((one) => !one.startsWith('1.1.1.1'))).toEqual([])
  })
})
