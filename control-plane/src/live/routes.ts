import { get } from '../http/endpoint.ts'
import { openStream } from './stream.ts'

export const events = get('/api/events', {
  summary:
    'Server-sent events: servers, jobs, nodes and samples as they change; resumes by Last-Event-ID',
  access: { who: 'user' },
  streams: 'text/event-stream',
  handle: async ({ ctx, http }) => openStream(ctx.live, ctx.actor, http),
})
