import { randomBytes } from 'node:crypto'
import type { Vault } from '../../secrets/vault.ts'

/** Without letters that are mistaken for digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUPS = 8
const GROUP = 5

const PLACE = { table: 'settings', id: 'panel-backups', column: 'recoveryKey' }

/** 200 random bits, to be written down: `7K2QX-...`. */
export function makeRecoveryKey(): string {
  const letters = [...randomBytes(GROUPS * GROUP)].map((byte) => ALPHABET[byte & 31]).join('')
  return grouped(letters)
}

/**
 * The recovery key that somebody typed or copied, in its canonical form.
 * @returns undefined if it is not a recovery key
 */
export function readRecoveryKey(text: string): string | undefined {
  const letters = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  const isKey =
    letters.length === GROUPS * GROUP && [...letters].every((one) => ALPHABET.includes(one))
  return isKey ? grouped(letters) : undefined
}

const grouped = (letters: string): string =>
  (letters.match(new RegExp(`.{${GROUP}}`, 'g')) ?? []).join('-')

export const sealRecoveryKey = (vault: Vault, key: string): string =>
  vault.seal(key, PLACE).toString('base64')

export const openRecoveryKey = (vault: Vault, sealed: string): string =>
  vault.open(Buffer.from(sealed, 'base64'), PLACE)
