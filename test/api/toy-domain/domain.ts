import { defineDomain } from '../../../control-plane/src/domain.ts'
import { letter } from '../../../control-plane/src/events/mails.ts'
import { gauge } from '../../../control-plane/src/figures/family.ts'
import { periodicTask } from '../../../control-plane/src/jobs/periodic-task.ts'
import { greetingBudgets } from './budgets.ts'
import { greet, sayAll } from './greet.ts'
import { hello } from './mails.ts'
import * as routes from './routes.ts'
import { greetingSettings } from './settings.ts'
import { countGreetings, findGreetings } from './store.ts'

declare module '../../../control-plane/src/events/catalogue.ts' {
  interface EventCatalogue {
    'greeting.said': { text: string; to: string }
  }
}
declare module '../../../control-plane/src/live/announcement.ts' {
  interface Announcements {
    greeting: true
  }
}

/** A minimal domain, with one declaration of each kind. */
export const greetings = defineDomain({
  name: 'greetings',
  headings: [{ name: 'Greetings', description: 'Kind words.', paths: ['/api/greetings'] }],
  routes: [routes],
  budgets: greetingBudgets,
  actions: { 'said hello': 'said {target}' },
  records: {
    'greeting.said': ({ text }) => ({ action: 'said hello', detail: { target: text } }),
  },
  mails: [hello],
  letters: {
    'greeting.said': ({ text, to }) => letter(hello, { to, userId: null, variables: { text } }),
  },
  figures: {
    installation: async ({ db }) => {
      const count = await countGreetings(db)
      return () => [gauge('lodge_greetings', 'Greetings so far.', [[{}, count]])]
    },
  },
  settings: [greetingSettings],
  periodic: [periodicTask('greetings.say', 1, sayAll)],
  listeners: {
    'customer.invited': async (ctx, { email }) => {
      await greet(ctx, email)
    },
  },
  notifications: {
    'greeting.said': [
      {
        type: 'greeting.said',
        to: () => ({ staff: 'settings.manage' }),
        notice: ({ text }) => ({ title: text, body: 'It was said just now.' }),
      },
    ],
  },
  notificationTypes: {
    'greeting.said': {
      title: 'Something was said',
      severity: 'info',
      group: 'host',
      staff: 'settings.manage',
    },
  },
  live: () => ({
    greeting: {
      load: async (db, ids) =>
        (await findGreetings(db, ids)).map(({ id, text }) => ({
          event: 'greeting',
          data: { id, text },
          audience: { permission: 'settings.manage' },
        })),
    },
  }),
})
