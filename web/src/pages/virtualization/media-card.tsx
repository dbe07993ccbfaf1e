import { formatBytes, formatMib } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Progress } from '../../ui/data/meter.tsx'
import { Pill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { systemGlyph } from '../../ui/icons/system-glyph.ts'
import { GlyphTile } from '../../ui/icons/template-icon.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { AddMedium } from './add-medium.tsx'
import { DeleteButton } from './delete-button.tsx'
import { EnabledSwitch } from './enabled-switch.tsx'
import { Uploading } from './uploading.tsx'

type Medium = Reply<'GET /api/virtualization/catalogue'>['media'][number]

const KINDS: Readonly<Record<Medium['kind'], string>> = {
  iso: 'Installation medium',
  qcow2: 'Disk image (qcow2)',
  raw: 'Disk image (raw)',
}

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
        <Pill tone="pend">Being checked</Pill>
      </span>
      <Progress label={`Check of ${medium.name}`} percent={percent ?? null} />
      {bytes ? (
        <Text small muted>
          {formatBytes(bytes.done)}
          {bytes.total === null ? '' : ` of ${formatBytes(bytes.total)}`}
        </Text>
      ) : null}
    </Stack>
  )
}

const STATE: Column<Medium> = {
  header: 'State',
  cell: (medium) => {
    if (medium.state === 'uploading') return <Uploading medium={medium} />
    if (medium.state === 'checking') return <Checking medium={medium} />
    if (medium.state === 'ready') return <Pill tone="ok">Ready</Pill>
    return (
      <Stack gap={4}>
        <span>
          <Pill tone="err">Refused</Pill>
        </span>
        {/* Long fingerprints must wrap on phones. */}
        <div style={{ overflowWrap: 'anywhere' }}>
          <Text small muted>
            {medium.failure}
          </Text>
        </div>
      </Stack>
    )
  },
}

const COLUMNS: readonly Column<Medium>[] = [
  {
    header: 'Medium',
    role: 'title',
    cell: ({ name, url, kept }) => (
      <Row gap={10} nowrap>
        <GlyphTile glyph={systemGlyph(name)} />
        <Stack gap={0}>
          <Text strong>{name}</Text>
          <Text small muted clip {...(url === null ? {} : { title: url })}>
            {url === null ? 'Uploaded' : `${new URL(url).host}${kept ? ', kept here' : ''}`}
          </Text>
        </Stack>
      </Row>
    ),
  },
  { header: 'Kind', cell: ({ kind }) => KINDS[kind] },
  {
    header: 'Size',
    cell: ({ sizeBytes, virtualSizeMb }) => (
      <Text>
        {sizeBytes === null ? '–' : formatBytes(sizeBytes)}
        {virtualSizeMb === null ? '' : `, a disk of ${formatMib(virtualSizeMb)}`}
      </Text>
    ),
  },
  STATE,
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
      Add medium
    </Button>
  )
  return (
    <Card title="Media" flush actions={register}>
      <Table
        label="Media"
        rows={media}
        columns={[
          ...COLUMNS,
          {
            header: 'New machines',
            tight: true,
            // A rejected one is never offered, whatever its switch says.
            cell: (row) =>
              row.state === 'failed' ? (
                <Text muted>Not offered</Text>
              ) : (
                <EnabledSwitch what="media" row={row} missing={missing} />
              ),
          },
          {
            header: '',
            tight: true,
            cell: (row) => (
              <DeleteButton
                what="media"
                row={row}
                disabledBecause={
                  missing ?? (row.state === 'checking' ? 'It is being checked' : undefined)
                }
              />
            ),
          },
        ]}
        keyOf={({ id }) => id}
        empty={
          <Empty title="There is no medium yet" art="disc">
            A medium is an ISO image to install from, or a disk image with a system on it.
          </Empty>
        }
      />
      <AddMedium opened={adding} onClose={() => setAdding(false)} />
    </Card>
  )
}
