/** The work is not wished any more. */
export class Interrupted extends Error {
  constructor() {
    super('The wish has changed')
    this.name = 'Interrupted'
  }
}
