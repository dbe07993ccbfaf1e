import { ChangeMark, NOTES_MOST, ServerMark, ServerNotes } from '@lodge/shared/server-labels.ts'
import { EditLabels, Server } from '@lodge/shared/servers.ts'
import { z } from 'zod'
import { hasPermission } from '../../../actor.ts'
import { get, patch, put } from '../../../http/endpoint.ts'
import { server } from '../access/access.ts'
import { editLabels } from '../labels/labels.ts'
import { foldersOf } from '../labels/mark-store.ts'
import * as marks from '../labels/marks.ts'
import * as notes from '../labels/notes.ts'
import { tagsInUse } from '../labels/tag-store.ts'

export const listLabels = get('/api/me/servers/labels', {
  summary: "Tags of the caller's servers, and the caller's folders",
  access: { who: 'user' },
  reply: z.object({ tags: z.array(z.string()), folders: z.array(z.string()) }),
  handle: async ({ ctx }) => {
    const all = hasPermission(ctx.actor, 'servers.view')
    return {
      tags: await tagsInUse(ctx.db, all ? null : ctx.actor.id),
      folders: await foldersOf(ctx.db, ctx.actor.id),
    }
  },
})

export const changeLabels = patch('/api/servers/{id}/labels', {
  summary: 'Name, icon and tags of a server',
  access: { who: 'user', on: server, may: 'settings.rename' },
  body: EditLabels,
  reply: Server,
  recorded: 'changed the name, icon or tags of {target}',
  handle: ({ ctx, server, body }) => editLabels(ctx, server.id, body),
})

export const showNotes = get('/api/servers/{id}/notes', {
  summary: 'Notes about a server',
  access: { who: 'user', on: server },
  reply: ServerNotes,
  handle: ({ ctx, server }) => notes.showNotes(ctx, server.id),
})

export const changeNotes = put('/api/servers/{id}/notes', {
  summary: 'Write the notes about a server',
  access: { who: 'user', on: server, may: 'settings.rename' },
  body: z.strictObject({ text: z.string().trim().max(NOTES_MOST) }),
  reply: ServerNotes,
  recorded: 'changed the notes of {target}',
  handle: ({ ctx, server, body }) => notes.changeNotes(ctx, server.id, body.text),
})

export const markServer = put('/api/servers/{id}/mark', {
  summary: "The caller's folder for a server, and whether it is a favourite",
  access: { who: 'user', on: server },
  body: ChangeMark,
  reply: ServerMark,
  recorded: 'put {target} into a folder or among their favourites',
  handle: ({ ctx, server, body }) => marks.markServer(ctx, server.id, body),
})
