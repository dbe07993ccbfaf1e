import { randomUUID } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Vault } from '../secrets/vault.ts'

const LOG_EVERY_MS = 10 * 60_000

/** A seal by which the end of the record is known: its number and signature in hexadecimal. */
const Head = z.strictObject({ number: z.int(), signature: z.string().regex(/^[0-9a-f]{64}$/) })
export type Head = z.infer<typeof Head>
const Kept = z.strictObject({
  head: Head.nullable(),
  /** Heads with which the record no longer ended when the next seal was made. */
  lost: z.array(Head),
  proof: z.string(),
})
export type KeptHeads = Pick<z.infer<typeof Kept>, 'head' | 'lost'>
const NONE: KeptHeads = { head: null, lost: [] }
const MOST_LOST = 100

/**
 * The newest seal, kept outside of the database and signed: whoever can write to the database alone
 * cannot cut off the end of the record without that being seen.
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

  /** What is kept; undefined when the file is not as it was written. Without a file nothing is kept. */
  async read(): Promise<KeptHeads | undefined> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (text === undefined) return NONE
    try {
      const { proof, ...kept } = Kept.parse(JSON.parse(text))
      return proof === this.#proofOf(kept) ? kept : undefined
    } catch {
      return undefined
    }
  }

  /**
   * Before the next seal is made, and while no other instance makes one: notes an end that was kept here
   * and is gone from the record.
   * @param last the seal that the next one will be chained to
   */
  async check(last: Head | undefined): Promise<void> {
    const kept = await this.read()
    if (!kept?.head || !isLost(kept.head, last)) return
    this.#log.error({ kept: kept.head, found: last ?? null }, 'the end of the record was cut off')
    await this.#write({ head: last ?? null, lost: [...kept.lost, kept.head].slice(-MOST_LOST) })
  }

  /** Keeps a seal once it is committed. Of several instances on one folder the newest seal stays. */
  async keep(head: Head): Promise<void> {
    const kept = await this.read()
    // What somebody has changed stays as it is, to be seen.
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

/** Whether a seal that is kept is not, or no longer, part of a record that ends with `last`. */
export const isLost = (kept: Head, last: Head | undefined): boolean =>
  kept.number > (last?.number ?? 0) ||
  (kept.number === last?.number && kept.signature !== last.signature)

export const headOf = (seal: { number: number; signature: Buffer }): Head => ({
  number: seal.number,
  signature: seal.signature.toString('hex'),
})
