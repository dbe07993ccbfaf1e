import type { Backup } from '@lodge/shared/backups.ts'
import { Link } from '@tanstack/react-router'
import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import LoaderCircle from 'lucide-react/icons/loader-circle'
import Lock from 'lucide-react/icons/lock'
import { why } from '../../../../panel/said.ts'
import { paths } from '../../../../paths.ts'
import { Progress } from '../../../../ui/data/meter.tsx'
import { formatBytes } from '../../../../ui/data/numbers.ts'
import { Pill } from '../../../../ui/data/status.tsx'
import type { Column } from '../../../../ui/data/table.tsx'
import { Ago } from '../../../../ui/data/time.tsx'
import { duration } from '../../../../ui/data/time-words.ts'
import { Unknown } from '../../../../ui/data/unknown.tsx'
import { Hidden, Row, Column as Stack, Text } from '../../../../ui/page/layout.tsx'
import styles from './backups.module.css'
import { browsing, durationOf } from './use-backups.ts'
import { Verified } from './verified.tsx'
import { t } from './words.ts'

function byWhom({ byHost, scheduled, createdBy, takenWhileRunning }: Backup, me: string): string {
  const by = byHost
    ? t.byHost
    : scheduled
      ? t.bySchedule
      : createdBy === null
        ? t.byFormerAccount
        : createdBy === me
          ? t.byYou
          : t.byPerson({ person: createdBy })
  return takenWhileRunning ? t.whileRunning({ by }) : by
}

function Without({ patterns }: { patterns: readonly string[] }) {
  const text = t.without({ patterns: patterns.join(', ') })
  return (
    <Text small muted clip title={text}>
      {text}
    </Text>
  )
}

/** The state of a backup, with its progress while it is made. */
export function BackupPill({
  backup,
  percent,
}: {
  backup: Pick<Backup, 'state' | 'damaged'>
  percent: number | null
}) {
  switch (backup.state) {
    case 'good':
      return backup.damaged ? (
        <Pill tone="err" icon={<CircleAlert aria-hidden />}>
          {t.damaged}
        </Pill>
      ) : (
        <Pill tone="ok" icon={<CircleCheck aria-hidden />}>
          {t.good}
        </Pill>
      )
    case 'failed':
      return (
        <Pill tone="err" icon={<CircleAlert aria-hidden />}>
          {t.failed}
        </Pill>
      )
    case 'creating':
      return (
        <Pill tone="info" spins icon={<LoaderCircle aria-hidden />}>
          {percent === null ? t.creating : t.creatingPercent({ percent: Math.round(percent) })}
        </Pill>
      )
    case 'deleting':
      return (
        <Pill tone="pend" spins icon={<LoaderCircle aria-hidden />}>
          {t.deleting}
        </Pill>
      )
  }
}

/**
 * @param me the address of the signed-in person
 * @param percent the progress of the backup being made
 */
export const backupColumns = (me: string, percent: number | null): readonly Column<Backup>[] => [
  {
    header: t.backup,
    role: 'title',
    cell: (backup) => {
      const wrong = backup.failure?.detail ?? backup.damaged?.detail
      const second = why(wrong) ?? byWhom(backup, me)
      return (
        <div className={styles.name}>
          <Row gap={6} nowrap>
            {backup.locked ? (
              <span className={styles.lock} title={t.locked}>
                <Lock aria-hidden />
                <Hidden>{t.locked}</Hidden>
              </span>
            ) : null}
            {backup.state === 'good' ? (
              <Link
                from={paths.serverBackups}
                to={paths.serverBackups}
                params={{ id: backup.serverId }}
                search={browsing(backup)}
                title={backup.name}
                data-opens
              >
                {backup.name}
              </Link>
            ) : (
              <Text strong clip title={backup.name}>
                {backup.name}
              </Text>
            )}
          </Row>
          <Text small muted clip title={second}>
            {second}
          </Text>
          {backup.ignored.length > 0 ? <Without patterns={backup.ignored} /> : null}
        </div>
      )
    },
  },
  {
    header: t.state,
    card: 'head',
    cell: (backup) => (
      <Stack gap={6}>
        <span>
          <BackupPill backup={backup} percent={percent} />
        </span>
        {backup.state === 'creating' ? (
          <Progress label={t.progressOf({ backup: backup.name })} percent={percent} />
        ) : null}
        <Verified backup={backup} />
      </Stack>
    ),
  },
  { header: t.created, card: 'head', cell: ({ createdAt }) => <Ago at={createdAt} /> },
  {
    header: t.duration,
    right: true,
    secondary: true,
    card: 'none',
    cell: (backup) => {
      const took = durationOf(backup)
      return took === null ? <Unknown why={t.notMeasured} /> : duration(took)
    },
  },
  {
    header: t.size,
    right: true,
    card: 'foot',
    cell: ({ state, sizeBytes, storedBytes, fileCount }) =>
      sizeBytes === null || state === 'creating' ? (
        <Unknown why={t.notMeasured} />
      ) : (
        <Text
          {...(fileCount === null || storedBytes === null
            ? {}
            : { title: t.sizeTitle({ count: fileCount, stored: formatBytes(storedBytes) }) })}
        >
          {formatBytes(sizeBytes)}
        </Text>
      ),
  },
]
