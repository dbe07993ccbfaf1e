import { randomBytes } from 'node:crypto'
import { mkdtemp, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVault, openVault } from './vault.ts'

const place = { table: 'users', id: '1', column: 'totp' }

test('any sealed value opens again at its place', () => {
  const vault = createVault(randomBytes(32))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(vault.open(vault.seal(text, place), place)).toBe(text)
    }),
  )
})

test('a value moved to another row or column cannot be opened', () => {
  const vault = createVault(randomBytes(32))
  const sealed = vault.seal('secret', place)
  expect(() => vault.open(sealed, { ...place, id: '2' })).toThrow()
  expect(() => vault.open(sealed, { ...place, column: 'other' })).toThrow()
})

test('a changed byte anywhere is detected', () => {
  const vault = createVault(randomBytes(32))
  const sealed = vault.seal('secret', place)
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => vault.open(changed, place)).toThrow()
  }
})

test('two instances that start at once on an empty folder share one key', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-vault-'))
  const [one, other] = await Promise.all([
    openVault(folder, undefined),
    openVault(folder, undefined),
  ])
  expect(other.open(one.seal('secret', place), place)).toBe('secret')
  expect((await stat(path.join(folder, 'master.key'))).mode & 0o777).toBe(0o600)
})
