import { type FileRules, fileAccess } from '@lodge/shared/file-rules.ts'
import type { FileRight } from '@lodge/shared/files.ts'
import { FileRefusal } from '../refusal.ts'
import { isHidden } from './tree.ts'

const isBelow = (path: string, folder: string) =>
  folder === '/' ? path !== '/' : path.startsWith(`${folder}/`)

/** What one request may do, by the rights and rules it came with. */
export class Access {
  readonly #rules: FileRules
  readonly #may: ReadonlySet<FileRight>
  constructor(rules: FileRules, may: readonly FileRight[]) {
    this.#rules = rules
    this.#may = new Set(may)
  }

  /** Whether the path exists for this request: at least readable by the rules. */
  sees(path: string): boolean {
    return !isHidden(path) && fileAccess(this.#rules, path) !== 'none'
  }

  /** Whether a folder may be listed to reach something below it. */
  leads(path: string): boolean {
    return (
      !isHidden(path) &&
      this.#rules.some(({ path: deeper, access }) => access !== 'none' && isBelow(deeper, path))
    )
  }

  /** @throws FileRefusal */
  require(path: string, right: FileRight): void {
    if (isHidden(path)) throw new FileRefusal('file_not_found', 'There is no such file.')
    if (!this.#has(path, right)) throw forbidden(path)
  }

  /** Whether the request has a right on a path and everything below it. */
  hasWhole(path: string, right: FileRight): boolean {
    return !isHidden(path) && this.isWhole(path) && this.#has(path, right)
  }

  /** For listing: a folder that is closed itself, but leads to an open one, shows only that. */
  requireList(path: string): void {
    if (this.#may.has('read') && this.leads(path)) return
    this.require(path, 'read')
  }

  writes(path: string): boolean {
    return !isHidden(path) && this.#may.has('write') && fileAccess(this.#rules, path) === 'write'
  }

  /** Whether no rule narrows anything in a folder. */
  isWhole(path: string): boolean {
    return !this.#rules.some(
      ({ path: deeper, access }) => access !== 'write' && isBelow(deeper, path),
    )
  }

  #has(path: string, right: FileRight): boolean {
    if (!this.#may.has(right)) return false
    const access = fileAccess(this.#rules, path)
    return access === 'write' || (access === 'read' && right === 'read')
  }

  /**
   * For deleting and moving a folder.
   * @throws FileRefusal when a rule narrows anything in it
   */
  requireWhole(path: string): void {
    if (!this.isWhole(path))
      throw new FileRefusal('file_forbidden', `${path} contains files that you may not change.`)
  }
}

const forbidden = (path: string) =>
  new FileRefusal('file_forbidden', `You may not do this with ${path}.`)
