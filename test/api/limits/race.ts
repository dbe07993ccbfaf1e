/** How a thing of which there may be only so many is created. */
export interface Race {
  /** The owner of the things; empty when the cap is global. */
  readonly of: string
  /** Creates so many at once, directly in the database. */
  readonly fill: (count: number) => Promise<unknown>
  /** Adds one more through the API. @returns the status of the response */
  readonly add: (at: number) => Promise<number>
}
