import { createHash, randomBytes, scryptSync } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeDurably } from '@lodge/driver/durable.ts'
import { chunkerPolynomial } from './chunker-polynomial.ts'
import { type ResticKey, resticKey, sealed } from './restic-cipher.ts'

/** The least that restic accepts: see `createRepository`. */
const STRETCHING = { N: 2, r: 1, p: 1 }
const SALT_BYTES = 64
const KEY_BYTES = 64
/** Of the packs, by which they are spread over folders. */
const PREFIXES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Creates a repository as `restic init` does, in format 2, but opened without stretching its
 * password: that makes guessing expensive, and nobody guesses 256 random bits. restic would spend
 * two seconds on finding out how much stretching takes half a second, and then that half second in
 * every command. A creation that was interrupted is begun anew.
 */
export async function createRepository(folder: string, password: string): Promise<void> {
  const keys = join(folder, 'keys')
  // A key of an interrupted creation would open nothing.
  await rm(keys, { recursive: true, force: true })
  const folders = ['keys', 'index', 'locks', 'snapshots', ...PREFIXES.map((two) => `data/${two}`)]
  for (const name of folders) await mkdir(join(folder, name), { recursive: true, mode: 0o700 })
  const master = resticKey(randomBytes(KEY_BYTES))
  const key = JSON.stringify(keyFile(master, password))
  await writeDurably(join(keys, createHash('sha256').update(key).digest('hex')), key)
  await syncFolder(keys)
  const config = {
    version: 2,
    id: randomBytes(32).toString('hex'),
    chunker_polynomial: chunkerPolynomial().toString(16),
  }
  // With it, the repository exists.
  await writeDurably(join(folder, 'config'), sealed(master, json(config)))
  await syncFolder(folder)
}

function keyFile({ encrypt, mac }: ResticKey, password: string) {
  const salt = randomBytes(SALT_BYTES)
  const opening = resticKey(scryptSync(password, salt, KEY_BYTES, STRETCHING))
  const { k, r } = mac
  const master = json({ mac: { k: base64(k), r: base64(r) }, encrypt: base64(encrypt) })
  return {
    created: new Date().toISOString(),
    username: 'lodge',
    hostname: 'lodge',
    kdf: 'scrypt',
    ...STRETCHING,
    salt: base64(salt),
    data: base64(sealed(opening, master)),
  }
}

const base64 = (bytes: Buffer): string => bytes.toString('base64')
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value))
