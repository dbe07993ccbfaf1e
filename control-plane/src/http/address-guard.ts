import { addressSet } from '@lodge/shared/addresses.ts'
import type { User } from '../actor.ts'

/** Judges from where administrators may work. The list is held in memory, since every request asks. */
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

  /** The caller, marked where the address is not one for administrators. */
  judge(user: User): User {
    return this.bars(user.role, user.address) ? { ...user, barred: true } : user
  }
}
