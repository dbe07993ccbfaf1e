/** Something beside its data that an installation has made on its machine. */
export interface Remains {
  /** What it is and what it is called, in words for the person who removes it. */
  readonly what: string
  /** Nothing happens when it is gone already. Throws when it cannot be removed. */
  remove(): Promise<void>
}
