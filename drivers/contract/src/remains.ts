/** Something other than data that an installation has created on its machine. */
export interface Remains {
  /** Kind and name, worded for the person who removes it. */
  readonly what: string
  /** Does nothing when it is already gone. Throws when it cannot be removed. */
  remove(): Promise<void>
}
