import type { EventCatalogue, EventName } from './catalogue.ts'

type Listener<Context> = {
  readonly [N in EventName]?: (ctx: Context, payload: EventCatalogue[N]) => Promise<void>
}

/** Calls the listeners of an event one after the other, in the emitting transaction. */
export class EventBus<Context> {
  readonly #listeners: readonly Listener<Context>[]

  /** @param listeners in the order they are called */
  constructor(listeners: readonly Listener<Context>[]) {
    this.#listeners = listeners
  }

  /** If a listener throws, the emitting change is rolled back too. */
  async emit<N extends EventName>(
    ctx: Context,
    name: N,
    payload: EventCatalogue[N],
  ): Promise<void> {
    for (const listener of this.#listeners) await listener[name]?.(ctx, payload)
  }
}
