import {
  CreateComponent,
  EditComponent,
  MOST_COMPONENTS,
  StatusComponent,
} from '@lodge/shared/status.ts'
import { z } from 'zod'
import { del, get, patch, post, put } from '../../../http/endpoint.ts'
import * as components from './components.ts'
import { deleteComponent as removeComponent } from './store.ts'

const access = { who: 'admin', may: 'status.manage' } as const
const one = { ...access, on: components.component } as const

export const listStatusComponents = get('/api/status/components', {
  summary: 'Components of the status page with their states, and the locations one can stand for',
  access: { who: 'admin', may: 'status.view' },
  reply: z.object({ items: z.array(StatusComponent), locations: z.array(z.string()) }),
  handle: ({ ctx }) => components.showComponents(ctx),
})

export const createStatusComponent = post('/api/status/components', {
  summary: 'Add a component to the status page',
  access,
  body: CreateComponent,
  reply: z.object({ id: z.uuid() }),
  status: 201,
  recorded: 'added the component {target} to the status page',
  handle: ({ ctx, body }) => components.createComponent(ctx, body),
})

export const editStatusComponent = patch('/api/status/components/{id}', {
  summary: 'Change a component of the status page',
  access: one,
  body: EditComponent,
  recorded: 'changed the component {target} of the status page',
  handle: ({ ctx, component, body }) => components.editComponent(ctx, component, body),
})

export const deleteStatusComponent = del('/api/status/components/{id}', {
  summary: 'Remove a component from the status page, with what was recorded of it',
  access: { ...one, stepUp: true },
  recorded: 'removed the component {target} from the status page',
  handle: ({ ctx, component }) => removeComponent(ctx.db, component.id),
})

export const orderStatusComponents = put('/api/status/components/order', {
  summary: 'Change the order of the components; those that are not named follow',
  access,
  body: z.strictObject({
    ids: z.array(z.uuid().toLowerCase()).max(MOST_COMPONENTS),
  }),
  recorded: 'changed the order of the status page',
  handle: ({ ctx, body }) => components.orderComponents(ctx, body.ids),
})
