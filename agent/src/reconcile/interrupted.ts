/** The work is not desired any more. */
export class Interrupted extends Error {
  constructor() {
    super('The desired state has changed')
    this.name = 'Interrupted'
  }
}
