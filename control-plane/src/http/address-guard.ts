import { addressSet } from '@lodge/shared/addresses.ts'
import { ownRole, type User } from '../actor.ts'

/**
 * Checks administrators' addresses against the allow-list, cached in memory because every request
 * needs it.
 */
export class AddressGuard {
  readonly #read: () => Promise<readonly string[]>
  #entries: readonly string[] = []
  #allowed: (address: string) => boolean = () => true

  constructor(read: () => Promise<readonly string[]>) {
    this.#read = read
  }

  /** @returns whether the list has changed */
  async load(): Promise<boolean> {
    const entries = await this.#read()
    const changed = entries.join() !== this.#entries.join()
    this.#entries = entries
    this.#allowed = entries.length === 0 ? () => true : addressSet(entries)
    return changed
  }

  bars(role: User['role'], address: string): boolean {
    return role === 'admin' && !this.#allowed(address)
  }

  /** The caller, marked `barred` if an administrator at an address outside the list. */
  judge(user: User): User {
    return this.bars(ownRole(user), user.address) ? { ...user, barred: true } : user
  }
}
