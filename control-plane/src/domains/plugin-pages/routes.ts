import { PageAnswer, PageQuestion, PluginPage } from '@lodge/shared/plugins/page.ts'
import { z } from 'zod'
import { get, post } from '../../http/endpoint.ts'
import { server } from '../servers/index.ts'
import { ask } from './ask.ts'
import { pageBudgets } from './budgets.ts'
import { seenPage, seenPages } from './seen.ts'

/** The largest payload, with the JSON around it. */
const MAX_BODY_BYTES = 160 * 1024

export const listPluginPages = get('/api/plugin-pages', {
  summary: 'Pages of plugins that you may see, in the navigation and on each server',
  access: { who: 'user' },
  reply: z.object({ items: z.array(PluginPage) }),
  handle: async ({ ctx }) => ({ items: await seenPages(ctx) }),
})

export const askPluginPage = post('/api/plugin-pages/{plugin}/{page}/questions', {
  summary: 'Ask the plugin of a page in the navigation',
  access: { who: 'user', throttle: pageBudgets.pageQuestion },
  body: PageQuestion,
  maxBodyBytes: MAX_BODY_BYTES,
  reply: PageAnswer,
  waits: true,
  recorded: false,
  handle: async ({ ctx, params, body }) =>
    ask(ctx, await seenPage(ctx, params, 'navigation'), body, null),
})

export const askServerPluginPage = post(
  '/api/servers/{id}/plugin-pages/{plugin}/{page}/questions',
  {
    summary: 'Ask the plugin of a page that stands on a server',
    access: { who: 'user', on: server, throttle: pageBudgets.pageQuestion },
    body: PageQuestion,
    maxBodyBytes: MAX_BODY_BYTES,
    reply: PageAnswer,
    waits: true,
    recorded: false,
    handle: async ({ ctx, params, body, server }) =>
      ask(ctx, await seenPage(ctx, params, 'server'), body, server),
  },
)
