import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import type { Secret } from '../secret.ts'

const VERSION = 1
const IV_BYTES = 12
const TAG_BYTES = 16

/** Where a sealed value lives; a value moved to another row or column cannot be opened there. */
export interface Place {
  readonly table: string
  readonly id: string
  readonly column: string
}

/** Encrypts what a stolen database must not reveal: AES-256-GCM, bound to its place. */
export interface Vault {
  seal(plain: string, place: Place): Buffer
  /** @throws if the value was changed, moved or sealed with another key */
  open(sealed: Buffer, place: Place): string
  /** A keyed hash for one purpose, e.g. to chain records. */
  sign(purpose: string, data: Buffer | string): Buffer
}

const placeText = ({ table, id, column }: Place) => `${table}:${id}:${column}`

/** @param masterKey 32 bytes, shared by all instances on the same database */
export function createVault(masterKey: Buffer): Vault {
  if (masterKey.length !== 32) throw new Error('the master key must have 32 bytes')
  const keyFor = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `lodge ${purpose}`, 32))
  const sealing = keyFor('seal v1')
  return {
    seal(plain, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealing, iv).setAAD(
        Buffer.from(placeText(place)),
      )
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.from([VERSION]), iv, cipher.getAuthTag(), text])
    },
    open(sealed, place) {
      if (sealed[0] !== VERSION) throw new Error('sealed by a version that is not known here')
      const iv = sealed.subarray(1, 1 + IV_BYTES)
      const tag = sealed.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', sealing, iv)
        .setAAD(Buffer.from(placeText(place)))
        .setAuthTag(tag)
      const text = sealed.subarray(1 + IV_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    },
    sign: (purpose, data) => createHmac('sha256', keyFor(purpose)).update(data).digest(),
  }
}

const fileIn = (folder: string) => path.join(folder, 'master.key')

/** The vault of an installation that has its key already; undefined if there is none. */
export async function findVault(
  folder: string,
  given: Secret | undefined,
): Promise<Vault | undefined> {
  if (given) return createVault(Buffer.from(given.reveal(), 'base64'))
  const key = await readFile(fileIn(folder), 'utf8').catch(unlessGone)
  return key === undefined ? undefined : createVault(Buffer.from(key, 'base64'))
}

/**
 * The vault of this installation. If no key is configured, one is generated at the first start and
 * kept in `master.key`, readable by its owner only.
 */
export async function openVault(folder: string, given: Secret | undefined): Promise<Vault> {
  const file = fileIn(folder)
  if (!given) {
    // Only this folder is closed: the database's own account passes through the one above it.
    await mkdir(path.dirname(folder), { recursive: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(file, randomBytes(32).toString('base64'), { mode: 0o600, flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      },
    )
    await chmod(file, 0o600)
  }
  const vault = await findVault(folder, given)
  if (!vault) throw new Error(`${file} vanished`)
  return vault
}
