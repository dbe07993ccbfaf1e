import type { Catalogue } from '../catalogue.ts'
import type { Ctx } from '../context.ts'
import type { EventHandlers } from '../events/events.ts'
import { record } from './record.ts'

/** Records the events that the domains declare as recorded. */
export const auditListeners = ({ records }: Catalogue): EventHandlers =>
  Object.fromEntries(
    Object.entries(records).map(([event, entryFor]) => [
      event,
      (ctx: Ctx, payload: never) => record(ctx, entryFor(payload)),
    ]),
  )
