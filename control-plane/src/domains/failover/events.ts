import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Notices, NoticeTypes } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import type { ServerNews } from '../servers/index.ts'
import { t } from './words.ts'

interface RunNews {
  /** Null once the node was removed. */
  readonly nodeId: string | null
  readonly name: string
  readonly restored: number
  readonly failed: number
}

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A person has declared a node dead. */
    'failover.started': { nodeId: string; name: string; servers: number }
    'failover.completed': RunNews
    /** A node was silent for longer than its lease, or was seen to be off. */
    'failover.taken-over': { nodeId: string; name: string; isOff: boolean }
    /** A silent node could not be switched off. */
    'failover.fence_failed': { nodeId: string; name: string; detail: string }
    /** More nodes are silent at the same time than are taken over without a person. */
    'failover.stopped': { nodes: number; names: string }
    /** Not every server could be brought back. */
    'failover.failed': RunNews
    /** Nothing can be done now for these servers of a node that was taken over; the first reasons. */
    'failover.blocked': {
      nodeId: string
      name: string
      servers: number
      reasons: readonly { readonly serverName: string; readonly why: string }[]
    }
    /** A node fails to stop or delete its former copy of a server that is elsewhere. */
    'failover.copy_stuck': {
      serverId: string
      serverName: string
      name: string
      detail: string
      /** Whether it may still run, since it has not been stopped for good. */
      runs: boolean
    }
    /** `backupAt` is null if it lost none of its files. */
    'server.brought-back': ServerNews & { backupAt: Date | null }
  }
}

const staff = { group: 'host', staff: 'nodes.view' } as const

export const failoverNoticeTypes: NoticeTypes = {
  'failover.started': { title: 'A node was declared dead', severity: 'warn', ...staff },
  'failover.taken-over': { title: 'A node was taken over', severity: 'warn', ...staff },
  'failover.fence_failed': {
    title: 'A node cannot be switched off',
    severity: 'error',
    ...staff,
  },
  'failover.stopped': { title: 'Too many nodes are silent', severity: 'error', ...staff },
  'failover.completed': { title: 'A failover is complete', severity: 'info', ...staff },
  'failover.failed': { title: 'A failover left servers behind', severity: 'error', ...staff },
  'failover.blocked': {
    title: 'Servers of a lost node cannot be brought back',
    severity: 'error',
    ...staff,
  },
  'failover.copy_stuck': {
    title: 'A node cannot delete a former copy',
    severity: 'error',
    ...staff,
  },
  'server.brought-back': {
    title: 'A server was brought back from a backup',
    severity: 'warn',
    group: 'servers',
  },
}

const link = () => panelPath('failover')

export const failoverNotices: Notices = {
  'failover.started': [
    {
      type: 'failover.started',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ name, servers }, reader) => ({
        title: wordsFor(t, reader).started({ node: name }),
        body: wordsFor(t, reader).willReturn({ servers }),
        link: link(),
      }),
    },
  ],
  'failover.taken-over': [
    {
      type: 'failover.taken-over',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ name, isOff }, reader) => ({
        title: wordsFor(t, reader).takenOver({ node: name }),
        body: isOff ? wordsFor(t, reader).switchedOffBody : wordsFor(t, reader).takenOverBody,
        link: link(),
      }),
    },
  ],
  'failover.fence_failed': [
    {
      type: 'failover.fence_failed',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name, detail }, reader) => ({
        title: wordsFor(t, reader).notSwitchedOff({ node: name }),
        body: wordsFor(t, reader).notSwitchedOffBody({
          node: name,
          detail: reasonIn(detail, reader),
        }),
        link: link(),
        groupKey: `failover.fence_failed:${nodeId}`,
      }),
    },
  ],
  'failover.stopped': [
    {
      type: 'failover.stopped',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodes, names }, reader) => ({
        title: wordsFor(t, reader).silent({ nodes, names }),
        body: wordsFor(t, reader).nothingTakenOver({ names }),
        link: link(),
      }),
    },
  ],
  'failover.copy_stuck': [
    {
      type: 'failover.copy_stuck',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ serverId, serverName, name: node, detail, runs }, reader) => ({
        title: wordsFor(t, reader).copyStuck({
          node,
          runs: String(runs),
          isNamed: String(serverName !== ''),
          server: serverName,
        }),
        body: wordsFor(t, reader).copyStuckBody({ node, detail: reasonIn(detail, reader) }),
        link: link(),
        groupKey: `failover.copy_stuck:${serverId}`,
      }),
    },
  ],
  'failover.completed': [
    {
      type: 'failover.completed',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ name, restored }, reader) => ({
        title: wordsFor(t, reader).completed({ servers: restored, node: name }),
        body: wordsFor(t, reader).broughtBack({ servers: restored }),
        link: link(),
      }),
    },
  ],
  'failover.failed': [
    {
      type: 'failover.failed',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ name, restored, failed }, reader) => ({
        title: wordsFor(t, reader).leftBehind({ servers: failed, node: name }),
        body: wordsFor(t, reader).othersReturned({ servers: restored }),
        link: link(),
      }),
    },
  ],
  'failover.blocked': [
    {
      type: 'failover.blocked',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name, servers, reasons }, reader) => ({
        title: wordsFor(t, reader).blocked({ servers, node: name }),
        body: wordsFor(t, reader).blockedBody({
          reasons: reasons
            .map(({ serverName, why }) => `${serverName}: ${reasonIn(why, reader)}`)
            .join('. '),
        }),
        link: link(),
        groupKey: `failover.blocked:${nodeId}`,
      }),
    },
  ],
  'server.brought-back': [
    {
      type: 'server.brought-back',
      to: ({ people }) => ({ users: people.map(({ userId }) => userId) }),
      notice: ({ serverId, serverName, backupAt }, reader) => ({
        title:
          backupAt === null
            ? wordsFor(t, reader).serverRunsElsewhere({ server: serverName })
            : wordsFor(t, reader).serverReturned({ server: serverName }),
        body:
          backupAt === null
            ? wordsFor(t, reader).serverReturnedWhole
            : wordsFor(t, reader).serverReturnedAs({ at: momentText(backupAt, reader) }),
        link: panelPath('server', { id: serverId }),
      }),
    },
  ],
}
