import { defineDomain } from '../../domain.ts'
import { serverAnswers } from './answers-store.ts'
import { serverBudgets } from './budgets.ts'
import { openConsole } from './console/console.ts'
import { serverNotices, serverNoticeTypes } from './events.ts'
import { announceServers } from './live.ts'
import { serverMailsInGerman } from './mails.de.ts'
import { serverLetters, serverMails } from './mails.ts'
import { serverPeriodicTasks } from './periodic-tasks.ts'
import { serverActions, serverRecords } from './records.ts'
import * as activity from './routes/activity.ts'
import * as consoles from './routes/console.ts'
import * as jobs from './routes/jobs.ts'
import * as labels from './routes/labels.ts'
import * as selfService from './routes/self-service.ts'
import * as routes from './routes/servers.ts'
import * as settings from './routes/settings.ts'
import * as sharing from './routes/sharing.ts'
import * as templateVersions from './routes/template-versions.ts'
import {
  rollbackActions,
  rollbackListeners,
  rollbackNotices,
  rollbackNoticeTypes,
  rollbackRecords,
} from './set-back/events.ts'
import { setBackFigures } from './set-back/figures.ts'
import * as setBack from './set-back/routes.ts'
import { sealVariables } from './spec/sealed.ts'

/** Everything that containers and virtual machines have in common. */
export const servers = defineDomain({
  name: 'servers',
  notifications: { ...serverNotices, ...rollbackNotices },
  notificationTypes: { ...serverNoticeTypes, ...rollbackNoticeTypes },
  listeners: rollbackListeners,
  headings: [
    {
      name: 'Servers',
      description: 'Everything that containers and virtual machines have in common.',
      paths: ['/api/servers'],
    },
    {
      name: 'Sharing',
      description: 'Who else may use a server, and with which permissions.',
      paths: [
        '/api/invitations',
        '/api/permissions',
        '/api/servers/{id}/collaborators',
        '/api/servers/{id}/rights',
      ],
    },
    {
      name: 'Set-back of the database',
      description: 'What nodes know that a database set back in time does not.',
      paths: ['/api/set-back'],
    },
    {
      name: 'Self-service',
      description: 'Servers that customers create and delete themselves.',
      paths: ['/api/me'],
    },
  ],
  budgets: serverBudgets,
  routes: [
    routes,
    labels,
    settings,
    consoles,
    activity,
    jobs,
    sharing,
    templateVersions,
    selfService,
    setBack,
  ],
  actions: { ...serverActions, ...rollbackActions },
  records: { ...serverRecords, ...rollbackRecords },
  mails: serverMails,
  mailTranslations: { de: serverMailsInGerman },
  letters: serverLetters,
  upgrades: {
    '/api/relay': (services) => (user, request, socket, head) =>
      openConsole(services, user, request, socket, head),
  },
  answers: serverAnswers,
  figures: setBackFigures,
  periodic: serverPeriodicTasks,
  live: announceServers,
  start: async (ctx) => () => sealVariables(ctx),
})
