import type { ShownServer } from '@lodge/shared/servers.ts'
import { paths } from '../../../../paths.ts'
import { LinkButton } from '../../../../ui/buttons/link.tsx'
import { Copyable } from '../../../../ui/data/copy.tsx'
import { formatMib } from '../../../../ui/data/numbers.ts'
import { Pill } from '../../../../ui/data/status.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { writeCores } from '../../../../ui/fields/size.ts'
import { Card } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import styles from './overview.module.css'
import { t } from './words.ts'

/** What a server is made of. What it uses stands in the header. */
export function DetailsCard({ server }: { server: ShownServer }) {
  const { templateName, templateVersion, templateOutdated, memoryMb, cpuPercent, diskMb } = server
  const vm = server.kind === 'vm'
  return (
    <Card title={t.details}>
      <dl className={styles.facts}>
        <dt>{vm ? t.hardware : t.template}</dt>
        <dd>
          <span title={templateName}>
            {vm
              ? templateName
              : t.templateVersion({ template: templateName, version: templateVersion })}
          </span>
          {!vm && templateOutdated ? (
            <LinkButton to={paths.serverStartup} params={{ id: server.id }} size="small">
              {t.newerVersion}
            </LinkButton>
          ) : null}
        </dd>
        <dt>{t.cpu}</dt>
        <dd>{writeCores(cpuPercent)}</dd>
        <dt>{t.memory}</dt>
        <dd>{formatMib(memoryMb)}</dd>
        <dt>{t.disk}</dt>
        <dd>
          {formatMib(diskMb)}
          {server.diskLimit === 'measured' ? (
            <Pill tone="idle" title={t.notEnforcedText}>
              {t.notEnforced}
            </Pill>
          ) : null}
        </dd>
        {server.storage === null ? null : (
          <>
            <dt>{vm ? t.disks : t.files}</dt>
            <dd>
              <span title={t.onStorageText}>{t.onStorage({ storage: server.storage.name })}</span>
              <Text small muted>
                {t.survivesNode}
              </Text>
            </dd>
          </>
        )}
        <dt>{t.owner}</dt>
        <dd>
          <span title={server.ownerEmail}>{server.ownerEmail}</span>
        </dd>
        <dt>{t.created}</dt>
        <dd>
          <Ago at={server.createdAt} />
        </dd>
        <dt>{t.id}</dt>
        <dd>
          <Copyable value={server.id} label={t.copyId} />
        </dd>
      </dl>
    </Card>
  )
}
