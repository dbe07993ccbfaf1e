import { Macro, WriteMacro } from '@lodge/shared/support/macros.ts'
import { z } from 'zod'
import { del, get, post } from '../../../http/endpoint.ts'
import * as macros from './macros.ts'

export const listMacros = get('/api/support/macros', {
  summary: 'Macros that the caller can use: for all, of their groups, and their own',
  access: { who: 'admin', may: 'support.reply' },
  reply: z.object({ items: z.array(Macro) }),
  handle: ({ ctx }) => macros.macrosOf(ctx),
})

export const writeMacro = post('/api/support/macros', {
  summary: 'Make a macro, or replace the one with this id; those for others need support.settings',
  access: { who: 'admin', may: 'support.reply' },
  body: WriteMacro,
  reply: Macro,
  recorded: 'wrote a macro of the support desk',
  handle: ({ ctx, body }) => macros.writeMacro(ctx, body),
})

export const deleteMacro = del('/api/support/macros/{id}', {
  summary: 'Delete a macro',
  access: { who: 'admin', may: 'support.reply', on: macros.macro },
  recorded: 'deleted the macro {target} of the support desk',
  handle: ({ ctx, macro }) => macros.deleteMacro(ctx, macro),
})
