import type { Ctx } from '../context.ts'
import type { EventCatalogue, EventName } from './catalogue.ts'

export type EventHandler<N extends EventName> = (
  ctx: Ctx,
  payload: EventCatalogue[N],
) => Promise<void>

/** Listeners of one domain; passed to the bus in `compose.ts`. */
export type EventHandlers = { readonly [N in EventName]?: EventHandler<N> }
