import { IMPORT_FAILURES } from '@lodge/shared/billing/imports.ts'
import { BROWSERS, SYSTEMS, UNKNOWN_DEVICE } from '@lodge/shared/device.ts'
import { CRASH_WORDS, EXIT_WORDS, LATE_STOP, STOP_WORDS } from '@lodge/shared/end-words.ts'
import { HELP } from '@lodge/shared/help.ts'
import { JOB_TITLES, NODE_STEPS } from '@lodge/shared/job-words.ts'
import { ABILITIES } from '@lodge/shared/node-abilities.ts'
import { ADMIN_PERMISSIONS, ADMIN_PRESETS } from '@lodge/shared/permissions.ts'
import {
  checksOfNodes,
  ends,
  fields,
  failures as germanFailures,
  hindrances as germanHindrances,
  refusals as germanRefusals,
  importsFromPanels,
  labels,
  notes,
  progress,
  reasonsOfFiles,
  whatNeedsAttention,
} from '@lodge/shared/phrases/de/index.ts'
import { PLUGIN_EVENTS } from '@lodge/shared/plugins/event.ts'
import { PAGE_AUDIENCES, pagesPermission } from '@lodge/shared/plugins/page.ts'
import { inWords } from '@lodge/shared/plugins/permission-words.ts'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { SERVER_ACTIONS, SERVER_STATUSES, whyNot } from '@lodge/shared/server-status.ts'
import { describe, expect, test } from 'vitest'
import { LINK_SHOWN } from '../../control-plane/src/audit/words.ts'
import { catalogueOf, type Domain, routesOf } from '../../control-plane/src/domain.ts'
import { UNSENT } from '../../control-plane/src/domains/email/unsent.ts'
import { NODE_TITLES } from '../../control-plane/src/domains/overview/activity.ts'
import { modules } from '../../control-plane/src/modules.ts'
import { wordsOf } from '../../web/src/pages/team/words-of.ts'
import {
  attentionTexts,
  checkTexts,
  failureTexts,
  reasonTexts,
  sentencesOf,
} from './failure-texts.ts'
import { fieldErrorTexts } from './field-error-texts.ts'
import { fileTexts } from './file-texts.ts'
import { namesOf } from './names-of.ts'
import { deliveryTexts, hindranceTexts, importTexts, noteTexts } from './note-texts.ts'
import { refusalTexts } from './refusal-texts.ts'
import { sourceFiles } from './source-files.ts'
import { zodTexts } from './zod-texts.ts'

const domains: readonly Domain[] = modules
const { noticeTypes, mails } = catalogueOf(domains)
const recorded = [
  ...domains.flatMap(({ actions = {} }) => Object.values(actions)),
  ...Object.values(routesOf(domains)).flatMap((endpoint) => endpoint.recorded || []),
]
const abilities = Object.values(ABILITIES)
const areas = Object.keys(ADMIN_PERMISSIONS).map((id) => id.split('.')[0] ?? id)
const allSources = sourceFiles().filter(({ path: file }) => !/\.(test|fixture)\./.test(file))
const sources = allSources.filter(({ path: file }) => /^(control-plane|shared)\/src\//.test(file))
const refusals = sources
  .filter(({ text }) => /\b(Problem|notFound|super)\(/.test(text))
  .flatMap(({ path: file, text }) => refusalTexts(text, file))
const fieldErrors = sources
  .filter(({ path: file }) => /^(control-plane\/src\/(domains|http)|shared\/src)\//.test(file))
  .flatMap(({ path: file, text }) => fieldErrorTexts(text, file))
const nodeSources = allSources.filter(({ path: file }) =>
  /^(agent|drivers\/(contract|docker|libvirt))\/src\//.test(file),
)
/** Files whose sentences are all about what schedules did and why. */
const ABOUT_SCHEDULES =
  /(shared\/src\/schedule-tasks|schedules\/runs\/(decide|wait-for-job|run-task))\.ts$/
/** Code that reads and writes the files of servers, and fetches for them. */
const ABOUT_FILES = /^agent\/src\/files\/|^shared\/src\/egress\/download\.ts$/
/** Texts for SFTP clients, which have no language. */
const TO_PROGRAMS = /helper\/sftp\//
/** Where `why…` is for programs, or part of another text. */
const SAID_ELSEWHERE = /set-back\/|leases\/boot|sftp\/channel|billing\/imports|templates\/eggs/
/** Texts for terminals only, during a restore or a command. */
const IN_TERMINALS = /src\/command\/|panel-backups\/(command|copy\/(restore-copy|load-store))\.ts$/
const failures = [
  ...[
    ...sources.filter(({ path: file }) => file.startsWith('control') && !IN_TERMINALS.test(file)),
    ...nodeSources,
  ].flatMap(({ path: file, text }) => failureTexts(text, file)),
  ...sources
    .filter(({ path: file }) => ABOUT_SCHEDULES.test(file))
    .flatMap(({ path: file, text }) => sentencesOf(text, file)),
]
const plugins = inWords([
  ...[
    'billing.provider',
    'billing.tax',
    'attachments.scan',
    'notifications.format',
    'nodes.fence',
    'storage',
    'network:{host}',
  ],
  ...PAGE_AUDIENCES.map(pagesPermission),
  ...Object.keys(PLUGIN_EVENTS).map((event) => `event:${event}`),
])

/** Each is followed by a permission of administrators, which has its own translation. */
const forApi = { words: 'Use the API with the permission: {what}' }

/** Texts that the panel shows though they are declared outside its catalogues. */
const declared: Readonly<Record<string, readonly string[]>> = {
  'permissions of administrators': Object.values(ADMIN_PERMISSIONS),
  'areas and presets of permissions': [...areas, ...Object.keys(ADMIN_PRESETS)].map(wordsOf),
  'permissions on servers': Object.values(SERVER_PERMISSIONS).map(({ title }) => title),
  'permissions of plugins': [...plugins, forApi].map(({ words }) => words),
  'titles of problems': Object.values(PROBLEMS).map(({ title }) => title),
  'types of notifications': [...noticeTypes.values()].map(({ title }) => title),
  'kinds of mail': [...mails.values()].map(({ title }) => title),
  'titles of jobs': JOB_TITLES,
  'steps of jobs': [
    ...NODE_STEPS,
    ...domains.flatMap(({ sagas = [] }) => sagas.flatMap(({ steps }) => steps.map((s) => s.name))),
  ],
  'audit log': [
    LINK_SHOWN,
    ...recorded.flatMap((words) =>
      typeof words === 'string'
        ? words
        : [words.words, ...Object.values(words.byField?.words ?? {})],
    ),
  ],
  devices: [
    UNKNOWN_DEVICE,
    ...BROWSERS.flatMap(([, browser]) => SYSTEMS.map(([, system]) => `${browser} on ${system}`)),
  ],
  'titles of the help': Object.values(HELP),
  'what nodes do': Object.values(NODE_TITLES),
  'reasons of refusals': refusals,
  'what plans of servers do not include': sources
    .filter(({ path: file }) => file === 'control-plane/src/domains/limits/plan-refusals.ts')
    .flatMap(({ path: file, text }) => sentencesOf(text, file)),
  'what is wrong with fields': fieldErrors,
  'what zod says of fields': zodTexts(),
  'why jobs failed, and how far they are': failures,
  'why files could not be read or changed': [
    ...allSources
      .filter(({ path: file }) => ABOUT_FILES.test(file) && !TO_PROGRAMS.test(file))
      .flatMap(({ path: file, text }) => fileTexts(text, file)),
    ...sources
      .filter(({ path: file }) => /files\/sagas|tasks\/archive-files/.test(file))
      .flatMap(({ path: file, text }) => sentencesOf(text, file)),
  ],
  'what checks of nodes found': nodeSources
    .filter(({ path: file }) =>
      /preflight|kvm\.ts|shared-storages\.ts|pool-mark\.ts|libvirt\/src\/(report|port)/.test(file),
    )
    .flatMap(({ path: file, text }) => checkTexts(text, file)),
  'why ports of nodes are not open': nodeSources
    .filter(({ path: file }) => file === 'agent/src/why-no-port.ts')
    .flatMap(({ path: file, text }) => sentencesOf(text, file)),
  'what needs attention': sources
    .filter(({ path: file }) =>
      /^control-plane\/src\/(storage|db\/prepare|domains\/overview\/(attention|set-back))\.ts$/.test(
        file,
      ),
    )
    .flatMap(({ path: file, text }) => attentionTexts(text, file))
    // The page itself adds which job failed (web/src/pages/overview/said-attention.ts).
    .filter((text) => !/^\{a\} failed/.test(text)),
  'what became of imported documents': sources
    .filter(({ path: file }) =>
      /^shared\/src\/templates\/(eggs\/(egg-|read-egg)|rules\/parse-rules)/.test(file),
    )
    .flatMap(({ path: file, text }) => noteTexts(text, file)),
  'why something is not possible': sources
    .filter(({ path: file }) => /^(control-plane\/src\/domains|shared\/src)\//.test(file))
    .filter(({ path: file }) => !SAID_ELSEWHERE.test(file))
    .flatMap(({ path: file, text }) => hindranceTexts(text, file))
    .flatMap((text) =>
      text === 'The driver of {a} {b}'
        ? abilities.map((words) => `The driver of {a} ${words}`)
        : text,
    ),
  'why reports of usage were not sent': sources
    .filter(({ path: file }) => /usage-reports\/send\.ts$/.test(file))
    .flatMap(({ path: file, text }) => sentencesOf(text, file)),
  'what became of messages': sources
    .filter(({ path: file }) =>
      /^control-plane\/src\/domains\/notifications\/channels\/[\w-]+\.ts$|^shared\/src\/egress\/egress\.ts$/.test(
        file,
      ),
    )
    .flatMap(({ path: file, text }) => deliveryTexts(text, file)),
  'why mails were not sent': Object.values(UNSENT),
  'why imports skip records and fail': [
    ...Object.values(IMPORT_FAILURES),
    ...sources
      .filter(({ path: file }) => file.startsWith('control-plane/src/domains/billing/imports/'))
      .flatMap(({ path: file, text }) => importTexts(text, file)),
  ],
  'why servers started or stopped': [
    ...[...Object.values(EXIT_WORDS), ...Object.values(CRASH_WORDS)],
    ...[...Object.values(STOP_WORDS), LATE_STOP],
    ...nodeSources.flatMap(({ path: file, text }) => reasonTexts(text, file)),
  ],
  'why actions are not possible': SERVER_ACTIONS.flatMap((action) =>
    SERVER_STATUSES.flatMap((status) => whyNot(action, status) ?? []),
  ),
}

const german = {
  ...labels,
  ...germanRefusals,
  ...fields,
  ...germanFailures,
  ...reasonsOfFiles,
  ...progress,
  ...ends,
  ...checksOfNodes,
  ...whatNeedsAttention,
  ...notes,
  ...importsFromPanels,
  ...germanHindrances,
}

describe.each([['German', german]] as const)('the phrasebook of %s', (_, phrases) => {
  test.each(Object.keys(declared))('has all %s', (kind) => {
    const texts = [...new Set(declared[kind])]
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => !Object.hasOwn(phrases, text))).toEqual([])
  })

  test('has no text that is no longer declared', () => {
    const known = new Set(Object.values(declared).flat())
    expect(Object.keys(phrases).filter((text) => !known.has(text))).toEqual([])
  })

  test('keeps the values of each text', () => {
    const changed = Object.entries(phrases).filter(
      ([text, translation]) => namesOf(text) !== namesOf(translation),
    )
    expect(changed).toEqual([])
  })
})
