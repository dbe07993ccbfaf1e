import { z } from 'zod'
import { post } from '../../../control-plane/src/http/endpoint.ts'
import { greetingBudgets } from './budgets.ts'
import { greet } from './greet.ts'

export const createGreeting = post('/api/greetings', {
  summary: 'Greet somebody',
  access: { who: 'admin', may: 'settings.manage', throttle: greetingBudgets.greet },
  body: z.strictObject({ name: z.string().min(1).max(100) }),
  reply: z.object({ id: z.uuid(), text: z.string() }),
  status: 201,
  recorded: 'greeted {target}',
  handle: ({ ctx, body }) => greet(ctx, body.name),
})
