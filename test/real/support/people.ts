import { insertPerson, insertSession } from '../../support/people.ts'
import { HttpCaller } from './http-caller.ts'
import type { Machine } from './machine.ts'

/** A customer who is signed in, over real connections. */
export class HttpCustomer extends HttpCaller {
  readonly id: string
  readonly email: string

  private constructor(origin: string, { id, email }: { id: string; email: string }) {
    super(origin)
    this.id = id
    this.email = email
  }

  /** @param name the beginning of the e-mail address */
  static async of({ admin, database }: Machine, name: string): Promise<HttpCustomer> {
    const person = await insertPerson(database, { local: name, role: 'customer' })
    const customer = new HttpCustomer(admin.origin, person)
    customer.cookie = `panel_session=${await insertSession(database, person.id)}`
    return customer
  }
}
