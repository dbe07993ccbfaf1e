import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { why } from '../../panel/said.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Progress } from '../../ui/data/meter.tsx'
import { formatBytes, formatMib } from '../../ui/data/numbers.ts'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Unknown } from '../../ui/data/unknown.tsx'
import { systemGlyph } from '../../ui/icons/system-glyph.ts'
import { GlyphTile } from '../../ui/icons/template-icon.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { AddMedium } from './add-medium.tsx'
import { DeleteButton } from './delete-button.tsx'
import { EnabledSwitch } from './enabled-switch.tsx'
import { Uploading } from './uploading.tsx'
import styles from './virtualization.module.css'
import { t } from './words.ts'

type Medium = Reply<'GET /api/virtualization/catalogue'>['media'][number]

const kinds = (): Readonly<Record<Medium['kind'], string>> => ({
  iso: t.kindIso,
  qcow2: t.kindQcow2,
  raw: t.kindRaw,
})

/** The progress of a medium's check. */
function Checking({ medium }: { medium: Medium }) {
  const job = useQuery({
    ...q('GET /api/jobs/{id}', { params: { id: medium.jobId ?? '' } }),
    enabled: medium.jobId !== null,
  })
  const { bytes, percent } = job.data ?? {}
  return (
    <Stack gap={4}>
      <span>
        <Pill tone="pend">{t.checking}</Pill>
      </span>
      <Progress label={t.checkOf({ name: medium.name })} percent={percent ?? null} />
      {bytes ? (
        <Text small muted>
          {bytes.total === null
            ? formatBytes(bytes.done)
            : t.doneOf({ done: formatBytes(bytes.done), total: formatBytes(bytes.total) })}
        </Text>
      ) : null}
    </Stack>
  )
}

const state = (): Column<Medium> => ({
  header: t.state,
  cell: (medium) => {
    if (medium.state === 'uploading') return <Uploading medium={medium} />
    if (medium.state === 'checking') return <Checking medium={medium} />
    if (medium.state === 'ready') return <Pill tone="ok">{t.ready}</Pill>
    return (
      <Stack gap={4}>
        <span>
          <Pill tone="err">{t.refused}</Pill>
        </span>
        <div className={styles.long}>
          <Text small muted>
            {why(medium.failure)}
          </Text>
        </div>
      </Stack>
    )
  },
})

/** Its kind and its source. */
const under = ({ kind, url, kept }: Medium): string => {
  const from =
    url === null ? t.uploaded : (kept ? t.keptFrom : t.fromHost)({ host: new URL(url).host })
  return t.kindAndOrigin({ kind: kinds()[kind], from })
}

const columns = (): readonly Column<Medium>[] => [
  {
    header: t.medium,
    role: 'title',
    cell: (medium) => (
      <Row gap={10} nowrap>
        <GlyphTile glyph={systemGlyph(medium.name)} />
        <div className={styles.title}>
          <Stack gap={0}>
            <span className={styles.name} title={medium.name}>
              <Text strong>{medium.name}</Text>
            </span>
            <Text small muted clip title={medium.url ?? under(medium)}>
              {under(medium)}
            </Text>
          </Stack>
        </div>
      </Row>
    ),
  },
  {
    header: t.size,
    tight: true,
    cell: ({ sizeBytes, virtualSizeMb }) => (
      <div className={styles.size}>
        {sizeBytes === null ? <Unknown why={t.sizeUnknown} /> : formatBytes(sizeBytes)}
        {virtualSizeMb === null ? null : (
          <small>{t.diskOf({ disk: formatMib(virtualSizeMb) })}</small>
        )}
      </div>
    ),
  },
  state(),
]

/** Installation media and disk images, each verified by its fingerprint. */
export function MediaCard({
  media,
  missing,
}: {
  media: readonly Medium[]
  missing: string | undefined
}) {
  const [adding, setAdding] = useState(false)
  const register = (
    <Button size="small" icon={<Plus />} disabledBecause={missing} onClick={() => setAdding(true)}>
      {t.addMedium}
    </Button>
  )
  return (
    <Card title={t.media} flush actions={register}>
      <Table
        label={t.media}
        rows={media}
        columns={[
          ...columns(),
          {
            header: t.newMachines,
            tight: true,
            // A rejected one is never offered, even if its switch is on.
            cell: (row) =>
              row.state === 'failed' ? (
                <Text muted>{t.notOffered}</Text>
              ) : (
                <EnabledSwitch what="media" row={row} missing={missing} />
              ),
          },
          {
            header: t.delete,
            role: 'acts',
            cell: (row) => (
              <DeleteButton
                what="media"
                row={row}
                disabledBecause={missing ?? (row.state === 'checking' ? t.beingChecked : undefined)}
              />
            ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={
          <Empty title={t.noMedium} art="disc">
            {t.noMediumText}
          </Empty>
        }
      />
      <AddMedium opened={adding} onClose={() => setAdding(false)} />
    </Card>
  )
}
