import { closeSync } from 'node:fs'
import { MAX_SKIPPED } from '@lodge/shared/files.ts'
import type { z } from 'zod'
import { readDocument, writeDocument } from './document.ts'
import type { Quota } from './quota.ts'
import { removeTree } from './remove.ts'
import { type Tree, using } from './tree.ts'

/** What was left out, without remembering all of it. */
export class Skipped {
  readonly list: { path: string; why: string }[] = []
  count = 0
  readonly add = (path: string, why: string): void => {
    this.count += 1
    if (this.list.length < MAX_SKIPPED) this.list.push({ path, why })
  }
}

/**
 * The folder of one task, with what it has made so far. Its documents survive a crash: a task that
 * comes again with the same id goes on from them.
 */
export class WorkFolder {
  readonly #tree: Tree
  readonly #quota: Quota
  readonly #id: string

  constructor(tree: Tree, quota: Quota, id: string) {
    this.#tree = tree
    this.#quota = quota
    this.#id = id
  }

  /** Undefined when there is none, or when the server wrote its own. */
  read<T>(name: string, schema: z.ZodType<T>): T | undefined {
    return this.in([], (folder) => readDocument(folder, name, schema))
  }

  write(name: string, document: unknown): void {
    this.in([], (folder) => writeDocument(folder, name, document))
  }

  /** A folder of it, made if it is missing; closed after the work. */
  in<T>(names: readonly string[], work: (folder: number) => T): T {
    return using(this.#tree.hidden('tasks', this.#id, ...names), work)
  }

  /** Deletes one of its folders. */
  async clear(name: string, removed: (bytes: number) => void = () => {}): Promise<void> {
    await this.in([], (folder) =>
      removeTree(folder, Buffer.from(name), {
        removed: (bytes) => {
          this.#quota.take(-bytes)
          removed(bytes)
        },
      }),
    )
  }

  /** Deletes everything of a task. */
  static async remove(tree: Tree, quota: Quota, id: string): Promise<void> {
    const folder = tree.hidden('tasks')
    try {
      const removed = (bytes: number) => quota.take(-bytes)
      await removeTree(folder, Buffer.from(id), { removed })
    } finally {
      closeSync(folder)
    }
  }
}
