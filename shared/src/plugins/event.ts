import { z } from 'zod'
import type { Methods } from './method.ts'

/** What plugins of the kind `event` may be told, with what each says. */
export const PLUGIN_EVENTS = {
  'account.suspended': 'An account was suspended (its id, its email address and the reason)',
  'account.unsuspended': 'The suspension of an account ended (its id and its email address)',
  'backup.completed': 'A backup was made (of which server, and its size)',
  'backup.failed': 'A backup failed (of which server, and why)',
  'customer.deleted': 'A customer was deleted (their id)',
  'node.offline': 'A node is offline (its name and how many servers it has)',
  'node.online': 'A node is online again (its name)',
  'server.gave_up': 'A server crashed too often to be started again (which one, and why)',
  'signup.pending': 'Somebody waits for approval (their email address)',
} as const
export type PluginEventType = keyof typeof PLUGIN_EVENTS

/** The method of plugins that are told events; told again until it returns, so perhaps twice. */
export const EVENT_METHODS = {
  'event.happened': {
    request: z.object({
      /** The same for every repetition. */
      id: z.uuid(),
      type: z.string(),
      happenedAt: z.iso.datetime(),
      data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    }),
    reply: z.object({}),
  },
} as const satisfies Methods
