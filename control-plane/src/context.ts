import type { ShownLink } from '@lodge/shared/accounts.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Actor } from './actor.ts'
import { type Db, inOneTransaction } from './db/database.ts'
import type { EventCatalogue, EventName } from './events/catalogue.ts'
import type { Services } from './services.ts'

/** Everything a rule may use: the caller, the current time and the open transaction. */
export interface Ctx<A extends Actor = Actor> extends Services {
  readonly actor: A
  readonly now: Date
  /**
   * Receives the link of a mail that cannot be sent, to return it to the caller. Absent if the
   * response cannot carry one.
   */
  readonly handOver?: ((link: ShownLink) => void) | undefined
  /** What the request asks to be answered in, for people of whom nothing else is known. */
  readonly language?: Language | undefined
  /** Runs `work` in one transaction, joining the current one if there is one. */
  transaction<T>(work: (ctx: Ctx<A>) => Promise<T>): Promise<T>
  /** Notifies the domains above. Their listeners run in this transaction. */
  emit<N extends EventName>(name: N, payload: EventCatalogue[N]): Promise<void>
}

export function contextFor<A extends Actor>(
  services: Services,
  actor: A,
  request: Pick<Ctx, 'handOver' | 'language'> = {},
): Ctx<A> {
  const within = (db: Db, nested: boolean): Ctx<A> => {
    const ctx: Ctx<A> = {
      ...services,
      db,
      actor,
      ...request,
      now: new Date(),
      transaction: (work) =>
        nested ? work(within(db, true)) : inOneTransaction(db, (tx) => work(within(tx, true))),
      emit: (name, payload) => services.events.emit(ctx as never, name, payload),
    }
    return ctx
  }
  return within(services.db, false)
}
