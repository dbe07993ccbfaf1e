import type { MarkedServer, Server, SuspensionCause } from '@lodge/shared/servers.ts'
import { Link } from '@tanstack/react-router'
import { saidReason } from '../../../panel/said.ts'
import { usePanel } from '../../../panel/use-panel.ts'
import { paths } from '../../../paths.ts'
import { mayDo, useMe } from '../../../session/session.ts'
import { LinkButton } from '../../../ui/buttons/link.tsx'
import { Copyable } from '../../../ui/data/copy.tsx'
import { Meter } from '../../../ui/data/meter.tsx'
import { observedWord, ServerPill, serverTone, serverWord } from '../../../ui/data/status.tsx'
import { Ago, Since } from '../../../ui/data/time.tsx'
import { ServerIcon } from '../../../ui/icons/template-icon.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Stale } from '../../../ui/notices/states.tsx'
import { useFaviconTone } from '../../../ui/page/favicon.ts'
import { usePageTitle } from '../../../ui/page/page.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { Tab, TabBar } from '../../../ui/page/tabs.tsx'
import { titleOf, useServerPages } from '../../plugin-pages/use-pages.ts'
import { FavouriteButton } from '../favourite-button.tsx'
import { PowerGroup } from '../power-group.tsx'
import { RestoreButton } from '../restore-button.tsx'
import { ServerTags } from '../server-tags.tsx'
import { addressOf, cpuUse, diskUse, memoryUse } from '../usage.ts'
import { CrashNote } from './crashes/crash-note.tsx'
import { JobStrip } from './job-strip.tsx'
import { ReturnNote } from './return-note.tsx'
import styles from './server.module.css'
import { t } from './words.ts'

/** The header of every tab: state, address, uptime, figures, power, running job. */
export function ServerHead({ server }: { server: MarkedServer }) {
  const me = useMe()
  const heading = usePageTitle(
    t.windowTitle({ server: server.name, state: serverWord(server.status) }),
    server.name,
  )
  useFaviconTone(serverTone(server.status))
  const address = addressOf(server)
  const tabs = usePanel().serverTabs.filter(
    ({ kind }) => kind === undefined || kind === server.kind,
  )
  const pluginPages = useServerPages()
  const { since } = server
  const others = server.ownerId !== me.id
  return (
    <div className={styles.head}>
      <div className={styles.inner}>
        <div className={styles.top}>
          <div className={styles.title}>
            <ServerIcon server={server} size="large" />
            <h1 ref={heading} tabIndex={-1}>
              {server.name}
            </h1>
            <span className={styles.state}>
              <span aria-live="polite">
                <ServerPill status={server.status} />
              </span>
              <FavouriteButton server={server} />
            </span>
            {server.status === 'unknown' || !server.nodeOnline ? (
              <Stale
                at={server.observedAt}
                was={observedWord(server.observedState)}
                node={server.nodeOnline ? undefined : server.nodeName}
              />
            ) : null}
          </div>
          <PowerGroup server={server} />
        </div>
        <div className={styles.line}>
          {address === null ? null : <Copyable value={address} label={t.copyAddress} />}
          <span>{t.place({ node: server.nodeName, location: server.location })}</span>
          {server.status === 'running' && since ? (
            <span>{rich(t.upSince({ since: () => <Since at={since} /> }))}</span>
          ) : null}
          {others ? (
            <span className={styles.owner}>{t.ownedBy({ owner: server.ownerEmail })}</span>
          ) : null}
          <ServerTags tags={server.tags} />
          {others && me.role === 'admin' ? null : (
            <Link to={paths.newTicket} search={{ server: server.id }}>
              {t.getHelp}
            </Link>
          )}
        </div>
        <div className={styles.bars} data-kind={server.kind}>
          {[cpuUse(server), memoryUse(server), diskUse(server)].map((use) => (
            <Meter key={use.label} {...use} compact />
          ))}
        </div>
        <JobStrip server={server} />
        <ServerNotes server={server} />
        <TabBar label={t.tabs}>
          {tabs.map(({ to, label }) => (
            <Tab
              key={to}
              to={to}
              params={{ id: server.id }}
              // A nested page belongs to its tab, but every page is nested in the overview.
              activeOptions={{ exact: to === paths.server, includeSearch: false }}
            >
              {label}
            </Tab>
          ))}
          {pluginPages.map((one) => (
            <Tab
              key={`${one.plugin} ${one.page}`}
              to={paths.serverPluginPage}
              params={{ id: server.id, plugin: one.plugin, page: one.page }}
            >
              {titleOf(one)}
            </Tab>
          ))}
        </TabBar>
      </div>
    </div>
  )
}

const REASONS: Readonly<Record<string, () => string>> = {
  account: () => t.suspendedAccount,
  billing: () => t.suspendedBilling,
  dispute: () => t.suspendedDispute,
  token: () => t.suspendedToken,
  administrator: () => t.suspendedHost,
} satisfies Record<SuspensionCause, () => string>
/** What the owner resolves under Billing. */
const PAID: ReadonlySet<string> = new Set<SuspensionCause>(['billing', 'dispute'])
const suspendedWords = (causes: readonly string[]): string =>
  t.suspendedText({
    count: causes.length,
    reasons: causes.map((cause) => REASONS[cause]?.() ?? cause).join(', '),
  })

/** Notes that must be seen first on these pages. */
function ServerNotes({ server }: { server: Server }) {
  const me = useMe()
  const { observedAt, deleteAt } = server
  // Once its subscription has ended, nothing that is paid lifts the suspension.
  const causes = server.holds.flatMap(({ kind, cause }) =>
    kind === 'suspension' && !(cause === 'billing' && deleteAt !== null) ? [cause] : [],
  )
  return (
    <>
      {server.nodeOnline ? null : (
        <Note tone="warn" title={t.nodeAway({ node: server.nodeName })}>
          {observedAt === null
            ? t.nodeAwayNothing
            : rich(t.nodeAwayText({ when: () => <Ago at={observedAt} /> }))}
        </Note>
      )}
      <ReturnNote server={server} />
      {deleteAt === null ? null : (
        <Note
          tone="err"
          title={t.willBeDeleted}
          action={
            server.ownerId === me.id || mayDo(me, 'servers.delete') ? (
              <RestoreButton server={server} />
            ) : undefined
          }
        >
          {rich(t.willBeDeletedText({ when: () => <Ago at={deleteAt} /> }))}
        </Note>
      )}
      {causes.length > 0 ? (
        <Note
          tone="warn"
          title={t.suspended}
          action={
            server.ownerId === me.id && causes.some((cause) => PAID.has(cause)) ? (
              <LinkButton to={paths.billing}>{t.openBilling}</LinkButton>
            ) : undefined
          }
        >
          {suspendedWords(causes)}
        </Note>
      ) : null}
      <CrashNote server={server} />
      {server.failure ? (
        <Note tone="err" title={t.lastFailed}>
          {saidReason(server.failure.detail)}
        </Note>
      ) : null}
      {server.restartRequired && server.status === 'running' ? (
        <Note tone="info">{t.restartNeeded}</Note>
      ) : null}
    </>
  )
}
