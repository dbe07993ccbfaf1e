import { randomUUID } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { unlessGone } from '@lodge/shared/local/files.ts'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Vault } from '../secrets/vault.ts'

const LOG_EVERY_MS = 10 * 60_000

/** Number and signature (hex) of the newest seal, which identify where the record ends. */
const Head = z.strictObject({ number: z.int(), signature: z.string().regex(/^[0-9a-f]{64}$/) })
export type Head = z.infer<typeof Head>
const Kept = z.strictObject({
  head: Head.nullable(),
  /** Kept heads that were no longer in the record when the next seal was made. */
  lost: z.array(Head),
  proof: z.string(),
})
export type KeptHeads = Pick<z.infer<typeof Kept>, 'head' | 'lost'>
const NONE: KeptHeads = { head: null, lost: [] }
const MOST_LOST = 100

/**
 * The newest seal, kept signed outside the database, so that somebody with write access to the
 * database alone cannot truncate the record unnoticed.
 */
export class AuditHead {
  readonly #file: string
  readonly #vault: Vault
  readonly #log: Logger
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(given: { folder: string; vault: Vault; log: Logger }) {
    this.#file = path.join(given.folder, 'audit-head.json')
    this.#vault = given.vault
    this.#log = given.log
  }

  /** The kept heads; undefined if the file was tampered with, and none if there is no file. */
  async read(): Promise<KeptHeads | undefined> {
    const text = await readFile(this.#file, 'utf8').catch(unlessGone)
    if (text === undefined) return NONE
    try {
      const { proof, ...kept } = Kept.parse(JSON.parse(text))
      return proof === this.#proofOf(kept) ? kept : undefined
    } catch {
      return undefined
    }
  }

  /**
   * Records a kept head that is missing from the record. Call it under the sealing lock, before the
   * next seal is made.
   * @param last the seal that the next one will be chained to
   */
  async check(last: Head | undefined): Promise<void> {
    const kept = await this.read()
    if (!kept?.head || !isLost(kept.head, last)) return
    this.#log.error(
      { kept: kept.head, found: last ?? null },
      'the end of the audit log was cut off',
    )
    await this.#write({ head: last ?? null, lost: [...kept.lost, kept.head].slice(-MOST_LOST) })
  }

  /** Keeps a committed seal. Where several instances share the folder, the newest seal wins. */
  async keep(head: Head): Promise<void> {
    const kept = await this.read()
    // Leave a tampered file as it is: it is evidence.
    if (!kept || (kept.head && kept.head.number >= head.number)) return
    await this.#write({ ...kept, head })
    if (performance.now() - this.#loggedAt < LOG_EVERY_MS) return
    this.#loggedAt = performance.now()
    this.#log.info({ seal: head.number, signature: head.signature }, 'audit head')
  }

  async #write(kept: KeptHeads): Promise<void> {
    const draft = `${this.#file}.${randomUUID()}`
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(JSON.stringify({ ...kept, proof: this.#proofOf(kept) }))
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, this.#file)
  }

  #proofOf({ head, lost }: KeptHeads): string {
    return this.#vault.sign('audit head', JSON.stringify([head, lost])).toString('hex')
  }
}

/** Whether a kept seal is not, or no longer, part of a record that ends with `last`. */
export const isLost = (kept: Head, last: Head | undefined): boolean =>
  kept.number > (last?.number ?? 0) ||
  (kept.number === last?.number && kept.signature !== last.signature)

export const headOf = (seal: { number: number; signature: Buffer }): Head => ({
  number: seal.number,
  signature: seal.signature.toString('hex'),
})
