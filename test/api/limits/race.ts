/** How a thing with a cap on its number is created. */
export interface Race {
  /** The owner of the things; empty when the cap is global. */
  readonly of: string
  /** Creates so many in one go, directly in the database. */
  readonly fill: (count: number) => Promise<unknown>
  /** Adds one more through the API. @returns the status of the response */
  readonly add: (at: number) => Promise<number>
}
