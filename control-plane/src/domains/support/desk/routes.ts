import {
  Category,
  DeskArrangement,
  DeskSettings,
  Group,
  WriteCategory,
  WriteGroup,
} from '@lodge/shared/support/desk.ts'
import { get, post, put } from '../../../http/endpoint.ts'
import * as arranging from '../categories/arrange.ts'
import * as desk from './arrangement.ts'

export const showDesk = get('/api/support/settings', {
  summary: 'How the support desk is arranged: settings, categories, groups and agents',
  access: { who: 'admin', may: 'support.view' },
  reply: DeskArrangement,
  handle: ({ ctx }) => desk.arrangementOf(ctx),
})

export const changeDesk = put('/api/support/settings', {
  summary: 'Change settings of the support desk; those left out stay',
  access: { who: 'admin', may: 'support.settings' },
  body: DeskSettings.partial(),
  reply: DeskArrangement,
  recorded: 'changed the settings of the support desk',
  handle: ({ ctx, body }) => desk.changeSettings(ctx, body),
})

export const createCategory = post('/api/support/categories', {
  summary: 'Create a category of tickets',
  access: { who: 'admin', may: 'support.settings' },
  body: WriteCategory,
  reply: Category,
  status: 201,
  recorded: 'created the category {target}',
  handle: ({ ctx, body }) => arranging.createCategory(ctx, body),
})

export const editCategory = put('/api/support/categories/{id}', {
  summary: 'Change a category of tickets, or archive it',
  access: { who: 'admin', may: 'support.settings', on: arranging.category },
  body: WriteCategory,
  reply: Category,
  recorded: 'changed the category {target}',
  handle: ({ ctx, category, body }) => arranging.editCategory(ctx, category.id, body),
})

export const createGroup = post('/api/support/groups', {
  summary: 'Create a group of agents',
  access: { who: 'admin', may: 'support.settings' },
  body: WriteGroup,
  reply: Group,
  status: 201,
  recorded: 'created the group of agents {target}',
  handle: ({ ctx, body }) => arranging.createGroup(ctx, body),
})

export const editGroup = put('/api/support/groups/{id}', {
  summary: 'Change a group of agents',
  access: { who: 'admin', may: 'support.settings', on: arranging.group },
  body: WriteGroup,
  reply: Group,
  recorded: 'changed the group of agents {target}',
  handle: ({ ctx, group, body }) => arranging.editGroup(ctx, group.id, body),
})
