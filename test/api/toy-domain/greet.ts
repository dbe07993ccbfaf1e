import type { Ctx } from '../../../control-plane/src/context.ts'
import { contextFor } from '../../../control-plane/src/context.ts'
import { readSettings } from '../../../control-plane/src/domains/settings/index.ts'
import type { Services } from '../../../control-plane/src/services.ts'
import { greetingSettings } from './settings.ts'
import { insertGreeting, sayGreetings } from './store.ts'

/** Stores a greeting for the periodic task. */
export async function greet(ctx: Ctx, name: string): Promise<{ id: string; text: string }> {
  const { salutation } = await readSettings(ctx.db, greetingSettings)
  return insertGreeting(ctx.db, `${salutation}, ${name}`)
}

export const sayAll = (services: Services): Promise<{ said: number }> =>
  contextFor(services, { kind: 'system' }).transaction(async (ctx) => {
    const greetings = await sayGreetings(ctx.db)
    for (const { id, text } of greetings) {
      await ctx.emit('greeting.said', { text, to: 'host@example.com' })
      await ctx.live.announce(ctx.db, { kind: 'greeting', id })
    }
    return { said: greetings.length }
  })
