import type { MarkedServer, Server, SuspensionCause } from '@lodge/shared/servers.ts'
import { usePanel } from '../../../panel/use-panel.ts'
import { useMe } from '../../../session/session.ts'
import { Copyable } from '../../../ui/data/copy.tsx'
import { Meter } from '../../../ui/data/meter.tsx'
import { ServerPill, serverTone, serverWord } from '../../../ui/data/status.tsx'
import { Ago, Since } from '../../../ui/data/time.tsx'
import { ServerIcon } from '../../../ui/icons/template-icon.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { Stale } from '../../../ui/notices/states.tsx'
import { useFaviconTone } from '../../../ui/page/favicon.ts'
import { usePageTitle } from '../../../ui/page/page.tsx'
import { Tab, TabBar } from '../../../ui/page/tabs.tsx'
import { FavouriteButton } from '../favourite-button.tsx'
import { PowerGroup } from '../power-group.tsx'
import { RestoreButton } from '../restore-button.tsx'
import { ServerTags } from '../server-tags.tsx'
import { addressOf, cpuUse, diskUse, memoryUse } from '../usage.ts'
import { CrashNote } from './crashes/crash-note.tsx'
import { JobStrip } from './job-strip.tsx'
import styles from './server.module.css'

/** The header of every tab: state, address, uptime, figures, power, running job. */
export function ServerHead({ server }: { server: MarkedServer }) {
  const me = useMe()
  const heading = usePageTitle(`${server.name} (${serverWord(server.status)})`, server.name)
  useFaviconTone(serverTone(server.status))
  const address = addressOf(server)
  const tabs = usePanel().serverTabs.filter(
    ({ kind }) => kind === undefined || kind === server.kind,
  )
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
            <span aria-live="polite">
              <ServerPill status={server.status} />
            </span>
            <FavouriteButton server={server} />
            {server.status === 'unknown' || !server.nodeOnline ? (
              <Stale
                at={server.observedAt}
                was={server.observedState}
                node={server.nodeOnline ? undefined : server.nodeName}
              />
            ) : null}
          </div>
          <PowerGroup server={server} />
        </div>
        <div className={styles.line}>
          {address === null ? null : <Copyable value={address} label="Copy the address" />}
          <span>
            {server.nodeName} · {server.location}
          </span>
          {server.status === 'running' && server.since ? (
            <span>
              up <Since at={server.since} />
            </span>
          ) : null}
          {others ? <span className={styles.owner}>owned by {server.ownerEmail}</span> : null}
          <ServerTags tags={server.tags} />
        </div>
        <div className={styles.bars}>
          {[cpuUse(server), memoryUse(server), diskUse(server)].map((use) => (
            <Meter key={use.label} {...use} compact />
          ))}
        </div>
        <JobStrip server={server} />
        <ServerNotes server={server} />
        <TabBar label="Parts of this server">
          {tabs.map(({ to, label }) => (
            <Tab
              key={to}
              to={to}
              params={{ id: server.id }}
              activeOptions={{ exact: true, includeSearch: false }}
            >
              {label}
            </Tab>
          ))}
        </TabBar>
      </div>
    </div>
  )
}

const CAUSES: Readonly<Record<string, string>> = {
  account: 'the suspension of the account',
  billing: 'billing',
  dispute: 'a payment dispute',
  token: 'a program of the host',
  administrator: 'the host',
} satisfies Record<SuspensionCause, string>
const suspendedBy = (causes: readonly string[]): string =>
  causes.map((cause) => CAUSES[cause] ?? cause).join(', ')

/** Notes that must be seen before anything else on these pages. */
function ServerNotes({ server }: { server: Server }) {
  const me = useMe()
  const causes = server.holds.flatMap((hold) => (hold.kind === 'suspension' ? [hold.cause] : []))
  return (
    <>
      {server.nodeOnline ? null : (
        <Note tone="warn" title={`The node ${server.nodeName} is not connected`}>
          {server.observedAt === null ? (
            'Nothing is known about this server yet.'
          ) : (
            <>
              What you see is from <Ago at={server.observedAt} />. The server keeps running on its
              own while the node is away.
            </>
          )}
        </Note>
      )}
      {server.deleteAt === null ? null : (
        <Note
          tone="err"
          title="This server will be deleted"
          action={server.ownerId === me.id ? <RestoreButton server={server} /> : undefined}
        >
          It is off, and it is gone with all of its files <Ago at={server.deleteAt} />.
        </Note>
      )}
      {causes.length > 0 ? (
        <Note tone="warn" title="This server is suspended">
          It cannot be started until the suspension is lifted. Suspended by: {suspendedBy(causes)}.
        </Note>
      ) : null}
      <CrashNote server={server} />
      {server.failure ? (
        <Note tone="err" title="The last attempt failed">
          {server.failure.detail}
        </Note>
      ) : null}
      {server.restartRequired && server.status === 'running' ? (
        <Note tone="info">Changes are waiting for the next restart.</Note>
      ) : null}
    </>
  )
}
