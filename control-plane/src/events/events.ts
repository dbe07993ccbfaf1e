import type { Ctx } from '../context.ts'
import type { EventCatalogue, EventName } from './catalogue.ts'

export type EventHandler<N extends EventName> = (
  ctx: Ctx,
  payload: EventCatalogue[N],
) => Promise<void>

/** What a domain listens to; given to the bus where everything is put together. */
export type EventHandlers = { readonly [N in EventName]?: EventHandler<N> }
