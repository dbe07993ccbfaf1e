import { PublicStatus, StatusSettings } from '@lodge/shared/status.ts'
import { get, put } from '../../../http/endpoint.ts'
import { notFound } from '../../../problem.ts'
import { writeSettings } from '../../settings/index.ts'
import { statusArea, statusSettings } from '../settings.ts'
import { currentBoard } from './kept.ts'

export const showStatus = get('/api/status', {
  summary: 'What the public status page shows; not found while it is off',
  // No budget, which would cost a statement: the response comes from memory.
  access: { who: 'anyone' },
  reply: PublicStatus,
  handle: async ({ ctx, http }) => {
    const board = await currentBoard(ctx)
    if (!board) throw notFound('status page')
    http.reply.header('cache-control', 'public, max-age=15')
    return board.status
  },
})

export const showStatusSettings = get('/api/status/settings', {
  summary: 'Whether there is a public status page, and what it is called',
  access: { who: 'admin', may: 'status.view' },
  reply: StatusSettings,
  handle: ({ ctx }) => statusSettings(ctx.db),
})

export const editStatusSettings = put('/api/status/settings', {
  summary:
    'Switch the public status page on or off, and change its title, introduction, time zone and subscriptions',
  access: { who: 'admin', may: 'status.manage' },
  body: StatusSettings,
  reply: StatusSettings,
  recorded: 'changed the settings of the status page',
  handle: ({ ctx, body }) => writeSettings(ctx.db, statusArea, body),
})
