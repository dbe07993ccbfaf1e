/** The work is no longer desired. */
export class Interrupted extends Error {
  constructor() {
    super('The desired state has changed')
    this.name = 'Interrupted'
  }
}
