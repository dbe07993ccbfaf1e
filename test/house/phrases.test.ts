import { BROWSERS, SYSTEMS, UNKNOWN_DEVICE } from '@lodge/shared/device.ts'
import { CRASH_WORDS, EXIT_WORDS } from '@lodge/shared/end-words.ts'
import { HELP } from '@lodge/shared/help.ts'
import { JOB_TITLES, NODE_STEPS } from '@lodge/shared/job-words.ts'
import { ADMIN_PERMISSIONS, ADMIN_PRESETS } from '@lodge/shared/permissions.ts'
import { ends, refusals as germanRefusals, labels } from '@lodge/shared/phrases/de/index.ts'
import { PLUGIN_EVENTS } from '@lodge/shared/plugins/event.ts'
import { inWords } from '@lodge/shared/plugins/permission-words.ts'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { SERVER_PERMISSIONS } from '@lodge/shared/server-permission-list.ts'
import { SERVER_ACTIONS, SERVER_STATUSES, whyNot } from '@lodge/shared/server-status.ts'
import { describe, expect, test } from 'vitest'
import { LINK_SHOWN } from '../../control-plane/src/audit/words.ts'
import { catalogueOf, type Domain, routesOf } from '../../control-plane/src/domain.ts'
import { NODE_TITLES } from '../../control-plane/src/domains/overview/activity.ts'
import { modules } from '../../control-plane/src/modules.ts'
import { wordsOf } from '../../web/src/pages/team/words-of.ts'
import { namesOf } from './names-of.ts'
import { refusalTexts } from './refusal-texts.ts'
import { sourceFiles } from './source-files.ts'

const domains: readonly Domain[] = modules
const { noticeTypes, mails } = catalogueOf(domains)
const recorded = [
  ...domains.flatMap(({ actions = {} }) => Object.values(actions)),
  ...Object.values(routesOf(domains)).flatMap((endpoint) => endpoint.recorded || []),
]
const areas = Object.keys(ADMIN_PERMISSIONS).map((id) => id.split('.')[0] ?? id)
const refusals = sourceFiles()
  .filter(({ path: file }) => /^(control-plane|shared)\/src\//.test(file))
  .filter(({ path: file, text }) => /\b(Problem|notFound)\(/.test(text) && !/\.test\./.test(file))
  .flatMap(({ path: file, text }) => refusalTexts(text, file))
const plugins = inWords([
  ...['billing.provider', 'attachments.scan', 'notifications.format', 'storage', 'network:{host}'],
  ...Object.keys(PLUGIN_EVENTS).map((event) => `event:${event}`),
])

/** Texts that the panel shows though they are declared outside its catalogues. */
const declared: Readonly<Record<string, readonly string[]>> = {
  'permissions of administrators': Object.values(ADMIN_PERMISSIONS),
  'areas and presets of permissions': [...areas, ...Object.keys(ADMIN_PRESETS)].map(wordsOf),
  'permissions on servers': Object.values(SERVER_PERMISSIONS).map(({ title }) => title),
  'permissions of plugins': plugins.map(({ words }) => words),
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
  'why servers ended': [...Object.values(EXIT_WORDS), ...Object.values(CRASH_WORDS)],
  'why actions are not possible': SERVER_ACTIONS.flatMap((action) =>
    SERVER_STATUSES.flatMap((status) => whyNot(action, status) ?? []),
  ),
}

const german = { ...labels, ...germanRefusals, ...ends }

describe.each([['German', german]] as const)('the phrasebook of %s', (_, phrases) => {
  test.each(Object.keys(declared))('has all %s', (kind) => {
    const texts = [...new Set(declared[kind])]
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => !Object.hasOwn(phrases, text))).toEqual([])
  })

  test('has nothing that is declared no more', () => {
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
