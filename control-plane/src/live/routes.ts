import { z } from 'zod'
import { get } from '../http/endpoint.ts'
import { openStream } from './stream.ts'

export const events = get('/api/events', {
  summary:
    'Server-sent events: servers, jobs, nodes and samples as they change; resumes by Last-Event-ID',
  access: { who: 'user' },
  query: z.strictObject({
    /** Same as the header, for a browser's first request. */
    after: z.string().max(100).optional(),
  }),
  streams: 'text/event-stream',
  handle: async ({ ctx, query, http }) => openStream(ctx.live, ctx.actor, query.after, http),
})
