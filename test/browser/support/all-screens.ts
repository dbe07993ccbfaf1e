import { type PathName, paths } from '@lodge/shared/panel-paths.ts'
import { putting } from '../../api/files/world.ts'
import { lengthOf } from '../../run/lengths.ts'
import type { Stage } from './stage.ts'

export interface Screen {
  readonly name: PathName
  readonly path: string
}

/** Pages that are not one screen of a signed-in person, each with the reason. */
const ELSEWHERE: Partial<Record<PathName, string>> = {
  home: 'leads on',
  signIn: 'is for nobody',
  signUp: 'is for nobody',
  verify: 'needs a link',
  forgot: 'is for nobody',
  recover: 'is for nobody',
  accept: 'needs a link',
  join: 'needs a link',
  confirmEmail: 'needs a link',
  undoEmail: 'needs a link',
  reportStatus: 'needs a link',
  transfer: 'needs a link',
  serverPluginPage: 'needs a plugin that has one',
  pluginPage: 'needs a plugin that has one',
  adminPluginPage: 'needs a plugin that has one',
  secondFactor: 'leads on',
  setUp: 'leads on',
  accountLimits: 'is for customers',
  serverScreen: 'needs a machine',
  serverSerial: 'needs a machine',
  serverHardware: 'needs a machine',
  serverSnapshots: 'needs a machine',
  serverMove: 'needs a machine',
  screenWindow: 'needs a machine',
}

/** Screens that people open each day, and one of each kind: list, form, details, editor, chart. */
const MAIN: readonly PathName[] = [
  ...(['setUpServer', 'servers', 'newServer', 'server', 'serverConsole', 'serverFiles'] as const),
  ...(['editFile', 'serverNetwork', 'serverStartup', 'serverBackups', 'schedule'] as const),
  ...(['newSchedule', 'serverSharing', 'serverSettings', 'store', 'billing', 'account'] as const),
  ...(['accountSecurity', 'notifications', 'ticket', 'helpArticle', 'overview', 'nodes'] as const),
  ...(['node', 'newNode', 'failover', 'templates', 'editTemplate', 'desk', 'deskTicket'] as const),
  ...(['newPlan', 'invoices', 'customers', 'customer', 'customerSuspension', 'team'] as const),
  ...(['emailTemplate', 'audit', 'statusIncident', 'plugin', 'settings'] as const),
]

/**
 * The screens that a walk over all of them opens in this run: the main ones, and some of the others.
 */
export function screensInTurn(screens: readonly Screen[]): readonly Screen[] {
  const others = screens.filter(({ name }) => !MAIN.includes(name))
  const each = lengthOf('LODGE_SCREENS_IN_TURN')
  const left = new Set(others.filter((_, at) => at % each !== 0))
  return screens.filter((screen) => !left.has(screen))
}

/** Every screen of the panel that an administrator sees, from the table of addresses. */
export async function everyScreen(stage: Stage): Promise<Screen[]> {
  const plan = await stage.admin.must('POST /api/plans', {
    body: { name: 'Starter', kind: 'account', limits: { maxServers: 2, maxMemoryMb: 4096 } },
  })
  const schedule = await stage.admin.must('POST /api/servers/{id}/schedules', {
    params: { id: stage.servers.running },
    body: {
      name: 'Daily restart',
      cron: '0 4 * * *',
      timezone: 'Europe/Berlin',
      tasks: [
        { action: 'command', command: 'say The server restarts in 5 minutes' },
        { action: 'wait', seconds: 300 },
        { action: 'power', power: 'restart' },
      ],
    },
  })
  const plugin = await stage.admin.must('POST /api/plugins', {
    body: { source: 'bundled', id: 'payment-manual', acceptPermissions: true },
  })
  await addFiles(stage)
  const article = await writeArticles(stage)
  const ticket = await writeTicket(stage)
  const incident = await writeIncident(stage)
  const ids: readonly (readonly [beginning: string, id: string])[] = [
    ['/servers/', stage.servers.running],
    ['/windows/', stage.servers.running],
    ['/admin/nodes/', stage.node.id],
    ['/admin/failover/', stage.node.id],
    ['/admin/templates/', stage.templateId],
    ['/admin/plans/', plan.id],
    ['/admin/plugins/', plugin.id],
    ['/admin/customers/', stage.customer.id],
    ['/support/', ticket],
    ['/admin/desk/$id', ticket],
    ['/admin/status/', incident],
  ]
  return (Object.keys(paths) as PathName[])
    .filter((name): name is keyof typeof paths => name in paths && !(name in ELSEWHERE))
    .map((name) => {
      const path = paths[name]
        .replace('$template', 'invitation')
        .replace('$scheduleId', schedule.id)
        .replace('$slug', article)
        .replace('$id', ids.find(([beginning]) => paths[name].startsWith(beginning))?.[1] ?? '$')
      if (path.includes('$')) throw new Error(`say here what ${path} is about`)
      return { name, path: name === 'editFile' ? `${path}?path=/server.properties` : path }
    })
}

/** Articles that the host has written for the customers. */
async function writeArticles({ admin }: Stage): Promise<string> {
  const articles = [
    ['first-steps', 'First steps with your server', 'Start here'],
    ['restore-a-backup', 'Restoring a backup', 'Backups'],
    ['upload-a-world', 'Uploading a world of your own', 'Files'],
  ] as const
  for (const [slug, title, section] of articles)
    await admin.must('POST /api/support/articles', {
      body: {
        slug,
        locale: 'en',
        title,
        section,
        visibility: 'public',
        status: 'published',
        bodyMarkdown: `Everything you need is on the page of your server.

## Connect

1. Open **Overview** and copy the address.
2. Paste it into your game.

> The address stays the same when the server restarts.

Ports that you opened yourself stand under **Network**, such as \`25565\`.`,
      },
    })
  return articles[0][0]
}

/** An incident of a location on the public status page, which is switched on. */
async function writeIncident({ admin }: Stage): Promise<string> {
  await admin.must('PUT /api/status/settings', {
    body: { enabled: true, title: '', intro: '', timeZone: 'UTC', subscriptions: false },
  })
  const component = await admin.must('POST /api/status/components', {
    body: { source: 'manual', name: 'Backups', description: 'Nightly and by hand' },
  })
  const { id } = await admin.must('POST /api/status/incidents', {
    body: {
      ...{ kind: 'incident', title: 'Backups are late', impact: 'degraded', publish: true },
      ...{ componentIds: [component.id], body: 'We look into it.' },
    },
  })
  return id
}

/** A ticket of a customer with an answer and a note, in a category with questions. */
async function writeTicket({ admin, customer, servers }: Stage): Promise<string> {
  const { id: categoryId } = await admin.must('POST /api/support/categories', {
    body: {
      name: 'Game servers',
      description: 'Crashes, plugins, worlds',
      fields: [{ key: 'version', label: 'Version of the game', type: 'text', required: true }],
    },
  })
  await admin.must('POST /api/support/groups', {
    body: { name: 'Operations', assignment: 'round_robin' },
  })
  const { id } = await customer.must('POST /api/support/tickets', {
    body: {
      subject: 'The server stops a minute after the start',
      bodyMarkdown: 'Since yesterday. The log says:\n\n```\nOutOfMemoryError: Java heap space\n```',
      answers: { version: '1.21.4' },
      serverId: servers.running,
      categoryId,
    },
  })
  const params = { id }
  await admin.must('POST /api/support/tickets/{id}/messages', {
    params,
    body: { kind: 'note', bodyMarkdown: '40 plugins with 2 GiB: offer the next plan.' },
  })
  await admin.must('POST /api/support/tickets/{id}/messages', {
    params,
    body: { kind: 'reply', bodyMarkdown: 'It needs more memory. Could you try **4 GiB**?' },
  })
  return id
}

/** The files that a game server has on its disk. */
export async function addFiles({ admin, servers }: Stage): Promise<void> {
  const params = { id: servers.running }
  for (const folder of ['/config', '/plugins', '/world'])
    await admin.must('POST /api/servers/{id}/files/mkdir', { params, body: { path: folder } })
  const files = [
    ['/server.properties', 'motd=A Minecraft Server\nmax-players=20\nport=25565\n'],
    ['/server.jar', Buffer.alloc(300_000, 1)],
  ] as const
  for (const [file, payload] of files) {
    const { statusCode, body } = await admin.send(putting(servers.running, file, payload))
    if (statusCode !== 200) throw new Error(body)
  }
}
