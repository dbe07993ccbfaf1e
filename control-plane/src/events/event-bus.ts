import type { EventCatalogue, EventName } from './catalogue.ts'

type Listener<Context> = {
  readonly [N in EventName]?: (ctx: Context, payload: EventCatalogue[N]) => Promise<void>
}

/** Tells listeners of what happens, one after the other, in the transaction in which it happens. */
export class EventBus<Context> {
  readonly #listeners: readonly Listener<Context>[]

  /** @param listeners in the order in which they hear */
  constructor(listeners: readonly Listener<Context>[]) {
    this.#listeners = listeners
  }

  /** When a listener throws, the change that the event is about does not happen either. */
  async emit<N extends EventName>(
    ctx: Context,
    name: N,
    payload: EventCatalogue[N],
  ): Promise<void> {
    for (const listener of this.#listeners) await listener[name]?.(ctx, payload)
  }
}
