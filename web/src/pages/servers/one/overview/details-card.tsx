import type { Server } from '@lodge/shared/servers.ts'
import { formatMib } from '@lodge/shared/units.ts'
import { paths } from '../../../../paths.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Copyable } from '../../../../ui/data/copy.tsx'
import { Pill } from '../../../../ui/data/status.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import styles from './overview.module.css'

/** 100 is one core. */
const cores = (cpuPercent: number): string =>
  cpuPercent % 100 === 0
    ? `${cpuPercent / 100} ${cpuPercent === 100 ? 'core' : 'cores'}`
    : `${cpuPercent}% of a core`

/** What a server is made of. What it uses stands in the header. */
export function DetailsCard({ server }: { server: Server }) {
  const { templateName, templateVersion, templateOutdated, memoryMb, cpuPercent, diskMb } = server
  const vm = server.kind === 'vm'
  return (
    <Card title="Details">
      <dl className={styles.facts}>
        <dt>{vm ? 'Hardware' : 'Template'}</dt>
        <dd>
          <span title={templateName}>
            {templateName}
            {vm ? null : ` v${templateVersion}`}
          </span>
          {!vm && templateOutdated ? (
            <LinkButton to={paths.serverStartup} params={{ id: server.id }} size="small">
              Newer version
            </LinkButton>
          ) : null}
        </dd>
        <dt>CPU</dt>
        <dd>{cores(cpuPercent)}</dd>
        <dt>Memory</dt>
        <dd>{formatMib(memoryMb)}</dd>
        <dt>Disk</dt>
        <dd>
          {formatMib(diskMb)}
          {server.diskLimit === 'measured' ? (
            <Pill tone="idle" title="This node measures the disk and does not enforce the limit">
              Not enforced
            </Pill>
          ) : null}
        </dd>
        <dt>Owner</dt>
        <dd>
          <span title={server.ownerEmail}>{server.ownerEmail}</span>
        </dd>
        <dt>Created</dt>
        <dd>
          <Ago at={server.createdAt} />
        </dd>
        <dt>ID</dt>
        <dd>
          <Copyable value={server.id} label="Copy the id" />
        </dd>
      </dl>
    </Card>
  )
}
