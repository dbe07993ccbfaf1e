import type { Ctx } from '../context.ts'
import type { EventCatalogue, EventName } from './catalogue.ts'

export type EventHandler<N extends EventName> = (
  ctx: Ctx,
  payload: EventCatalogue[N],
) => Promise<void>

/** What a domain listens to; given to the bus where everything is put together. */
export type EventHandlers = { readonly [N in EventName]?: EventHandler<N> }

/** Tells listeners of what happens, one after the other, in the transaction in which it happens. */
export class EventBus {
  readonly #listeners: readonly EventHandlers[]

  /** @param listeners in the order in which they hear */
  constructor(listeners: readonly EventHandlers[]) {
    this.#listeners = listeners
  }

  /** When a listener throws, the change that the event is about does not happen either. */
  async emit<N extends EventName>(ctx: Ctx, name: N, payload: EventCatalogue[N]): Promise<void> {
    for (const listener of this.#listeners) await listener[name]?.(ctx, payload)
  }
}
